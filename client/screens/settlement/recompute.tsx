import { Form, useNavigation } from "react-router";
import * as texts from "#client/calls/calls-texts.ts";
import { fill } from "#client/ui/fill.tsx";
import { Note } from "#client/ui/note.tsx";
import { Panel } from "#client/ui/page-layout.tsx";
import { Moment } from "#client/ui/time.tsx";
import type { RecomputationView } from "#src/play/settlements/schemas.ts";
import type { RecomputeResult } from "./load-settlement.ts";

/** Lets every viewer check the payouts: they are recomputed from the calls and compared with the paid amounts. */
export function Recompute({ recomputed }: { recomputed: RecomputeResult | null }) {
  const busy = useNavigation().location?.search.includes("recompute") ?? false;
  return (
    <Panel title={texts.checkIt}>
      <Form className="body stack" method="get" preventScrollReset>
        <p className="small ink2">{texts.recomputeHint}</p>
        {recomputed === null ? null : <Outcome recomputed={recomputed} />}
        <button className="btn" type="submit" name="recompute" value="1" aria-busy={busy}>
          {texts.recompute}
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
        <Note tone="ok">{texts.payoutsMatch}</Note>
      ) : (
        <Note tone="bad">{texts.payoutsDiffer(differencesCount)}</Note>
      )}
      <p className="small ink2 num">
        {fill(texts.recomputeSummary(callsCount, paidCents), { at: <Moment at={checkedAt} /> })}
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
          {(mine ? texts.ownCallDiffers : texts.callDiffers)(callId, paidCents, expectedCents)}
        </li>
      ))}
    </ul>
  );
}
