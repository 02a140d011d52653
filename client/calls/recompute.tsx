import { Form, useNavigation } from "react-router";
import type { RecomputationView } from "#src/settlements/schemas.ts";
import { countOf } from "../ui/count.ts";
import { formatMoney } from "../ui/money.ts";
import { Note } from "../ui/note.tsx";
import { Panel } from "../ui/page-layout.tsx";
import { Moment } from "../ui/time.tsx";
import type { RecomputeResult } from "./load-settlement.ts";

/** Lets every viewer check the payouts: they are recomputed from the calls and compared with the paid amounts. */
export function Recompute({ recomputed }: { recomputed: RecomputeResult | null }) {
  const busy = useNavigation().location?.search.includes("recompute") ?? false;
  return (
    <Panel title="Check it">
      <Form className="body stack" method="get" preventScrollReset>
        <p className="small ink2">
          Computes every payout anew from the calls, by a formula of its own, and compares it with what was
          paid.
        </p>
        {recomputed === null ? null : <Outcome recomputed={recomputed} />}
        <button className="btn" type="submit" name="recompute" value="1" aria-busy={busy}>
          Recompute
        </button>
      </Form>
    </Panel>
  );
}

function Outcome({ recomputed }: { recomputed: RecomputeResult }) {
  if ("refusal" in recomputed) return <Note tone="bad">{recomputed.refusal}</Note>;
  const { recomputation } = recomputed;
  const { callsCount, paidCents, checkedAt, differencesCount } = recomputation;
  return (
    <>
      {differencesCount === 0 ? (
        <Note tone="ok">Every payout is as the formula says.</Note>
      ) : (
        <Note tone="bad">
          {countOf(differencesCount, "payout")} {differencesCount === 1 ? "is" : "are"} not what the formula
          says.
        </Note>
      )}
      <p className="small ink2 num">
        {countOf(callsCount, "call")}, {formatMoney(paidCents)} paid, checked <Moment at={checkedAt} />
      </p>
      {differencesCount === 0 ? null : <Differences recomputation={recomputation} />}
    </>
  );
}

function Differences({ recomputation: { differences } }: { recomputation: RecomputationView }) {
  return (
    <ul className="small num">
      {differences.map(({ callId, mine, paidCents, expectedCents }) => (
        <li key={callId}>
          Call {callId}
          {mine ? " (yours)" : ""}: paid {formatMoney(paidCents)}, should be {formatMoney(expectedCents)}
        </li>
      ))}
    </ul>
  );
}
