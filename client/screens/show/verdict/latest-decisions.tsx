import { useServerTime } from "#client/base/live/clock.ts";
import { useViewer } from "#client/base/page/context.ts";
import { UNDO_WITHIN_MS } from "#src/show/events/contract.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import { resultText } from "../arming/armed-text.ts";
import { nameOfDecider } from "../hosting/name-of-decider.ts";
import { useShow } from "../show-context.ts";
import { numberOf } from "../stage/on-stage.ts";
import * as texts from "../texts/arming-texts.ts";
import { decidedMs, decidedResult } from "./undoable.ts";

const SECOND_MS = 1_000;

/** The results that other hosts have just given: "Ana called 4 Yes 2 s ago." Pending ones are in the undo bar. */
export function LatestDecisions() {
  const { events } = useShow();
  return events.map((event) =>
    event.state === "resolved" ? <Decision key={event.id} event={event} /> : null,
  );
}

function Decision({ event }: { event: EventView }) {
  const show = useShow();
  const name = nameOfDecider(show, event, useViewer()?.id);
  const agoS = useServerTime((nowMs) => {
    const agoMs = nowMs - decidedMs(event);
    return agoMs < UNDO_WITHIN_MS ? Math.max(0, Math.floor(agoMs / SECOND_MS)) : null;
  }, show.renderedAt);
  const result = decidedResult(event);
  if (name === null || agoS === null || result === null) return null;
  return (
    <p className="small ink2 num">
      {texts.decidedAgo(name, numberOf(show.events, event), resultText(event, result), agoS)}
    </p>
  );
}
