import * as words from "#client/base/format/words.ts";
import { entriesOf, labelsOf } from "#src/base/contract.ts";
import { callStateLabel } from "#src/play/calls/contract.ts";
import type { CallView } from "#src/play/calls/schemas.ts";
import type { IconName } from "../ui/icon.tsx";
import { Pill, type PillTone } from "../ui/pill.tsx";

type PillContent = { icon: IconName; tone: PillTone };
type Outcome = NonNullable<CallView["outcome"]>;

const unknownPill: PillContent = { icon: "none", tone: "plain" };
const outcomePill = entriesOf<Outcome, PillContent>(
  {
    won: { icon: "tick", tone: "you" },
    lost: { icon: "cross", tone: "plain" },
    refunded: { icon: "back", tone: "outline" },
  },
  unknownPill,
);
const outcomeLabel = labelsOf<Outcome>({ won: words.won, lost: words.lost, refunded: words.refunded });

const statePill = entriesOf<CallView["state"], PillContent>(
  {
    placed: { icon: "mark", tone: "you" },
    closed: { icon: "lock", tone: "outline" },
    resolved: { icon: "tick", tone: "plain" },
    soft_destroyed: { icon: "cross", tone: "gone" },
  },
  unknownPill,
);

type Pilled = Pick<CallView, "outcome" | "state"> & Partial<Pick<CallView, "refundReason">>;

/** The same where the states of calls are listed: a call that is settled is resolved, whatever its outcome, and one taken back is destroyed. */
export function CallState({ call }: { call: Pilled }) {
  const isSettled = call.state === "resolved" && call.outcome !== null;
  const isTakenBack = call.state === "soft_destroyed" && call.outcome === null;
  return (
    <>
      <CallPill call={call} />
      {isSettled || isTakenBack ? <span className="tiny muted">{callStateLabel(call.state)}</span> : null}
    </>
  );
}

/** A call's outcome, or its state while it has none. */
export function CallPill({ call: { outcome, state, refundReason } }: { call: Pilled }) {
  if (refundReason === "no_loser") {
    return <Pill icon="tick" tone="you" text="Right" />;
  }
  const look = outcome === null ? statePill(state) : outcomePill(outcome);
  return <Pill {...look} text={wordOf(outcome, state)} />;
}

function wordOf(outcome: CallView["outcome"], state: CallView["state"]): string {
  if (outcome !== null) return outcomeLabel(outcome);
  return state === "soft_destroyed" ? "Taken back" : callStateLabel(state);
}
