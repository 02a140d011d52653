import * as words from "#client/base/format/words.ts";
import { type EventState } from "#db/lists/events.ts";
import { entriesOf } from "#src/base/contract.ts";
import { eventStateLabel } from "#src/show/events/contract.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import type { IconName } from "../ui/icon.tsx";
import { Pill, type PillTone } from "../ui/pill.tsx";

export const statePill = entriesOf<EventState, { icon: IconName; tone: PillTone }>(
  {
    draft: { icon: "slip", tone: "outline" },
    visible: { icon: "eye", tone: "outline" },
    open: { icon: "bolt", tone: "live" },
    closed: { icon: "lock", tone: "warn" },
    resolved: { icon: "slip", tone: "plain" },
    hidden: { icon: "none", tone: "gone" },
    soft_destroyed: { icon: "none", tone: "gone" },
  },
  { icon: "none", tone: "plain" },
);

export function StatePill({ event }: { event: EventView }) {
  if (event.state === "resolved") return <ResultPill event={event} />;
  return <Pill {...statePill(event.state)} text={eventStateLabel(event.state)} />;
}

function ResultPill({ event }: { event: EventView }) {
  if (event.result === null) return <Pill icon="none" text={words.voidResult} />;
  return event.result ? (
    <Pill icon="true" tone="true" text={event.trueLabel} />
  ) : (
    <Pill icon="false" tone="false" text={event.falseLabel} />
  );
}
