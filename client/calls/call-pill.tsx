import { callStateLabels } from "#src/calls/contract.ts";
import type { CallView } from "#src/calls/schemas.ts";
import type { IconName } from "../ui/icon.tsx";
import { Pill, type PillTone } from "../ui/pill.tsx";
import * as texts from "./outcome-texts.ts";

type PillContent = { icon: IconName; tone: PillTone; text: string };

const outcomePills: Record<NonNullable<CallView["outcome"]>, PillContent> = {
  won: { icon: "tick", tone: "you", text: texts.won },
  lost: { icon: "cross", tone: "plain", text: texts.lost },
  refunded: { icon: "back", tone: "outline", text: texts.refunded },
};

const statePills: Record<CallView["state"], PillContent> = {
  placed: { icon: "mark", tone: "you", text: callStateLabels.placed },
  closed: { icon: "lock", tone: "outline", text: callStateLabels.closed },
  resolved: { icon: "tick", tone: "plain", text: callStateLabels.resolved },
  soft_destroyed: { icon: "cross", tone: "gone", text: callStateLabels.soft_destroyed },
};

/** A call's outcome, or its state while it has none. */
export function CallPill({ call: { outcome, state } }: { call: Pick<CallView, "outcome" | "state"> }) {
  const { icon, tone, text } = outcome === null ? statePills[state] : outcomePills[outcome];
  return (
    <Pill icon={icon} tone={tone}>
      {text}
    </Pill>
  );
}
