import { statePill } from "#client/running-order/state-pill.tsx";
import { Pill } from "#client/ui/pill.tsx";
import { wordOf } from "./describe-on-air.ts";
import type { ReplayedEvent } from "./timeline.ts";

/** An event's state at this time, or its result. */
export function EventPill({ event }: { event: ReplayedEvent }) {
  const { state, result } = event;
  const { icon, tone } = statePill(state);
  const word = wordOf(event);
  if (result === null || state === "hidden")
    return (
      <Pill icon={icon} tone={tone}>
        {word}
      </Pill>
    );
  return result === "void" ? (
    <Pill icon="none">{word}</Pill>
  ) : (
    <Pill icon={result} tone={result}>
      {word}
    </Pill>
  );
}
