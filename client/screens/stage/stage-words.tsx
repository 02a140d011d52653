import type { Phase } from "#client/events/current-event.ts";
import { useView } from "#client/events/view.ts";
import * as texts from "./stage-texts.ts";

/** One sentence beside the clock. */
export function StageWords() {
  const { event, phase } = useView();
  const calls = event?.callsCount ?? 0;
  if (phase === "open" && event !== null) return <Called calls={calls} poolCents={event.pool.totalCents} />;
  const words = wordsFor[phase]?.(calls);
  return words === undefined ? null : (
    <p className="words num" translate={calls === 0 ? undefined : "no"}>
      {words}
    </p>
  );
}

/** Each on a line of its own: larger figures move nothing. */
function Called({ calls, poolCents }: { calls: number; poolCents: number }) {
  return (
    <p className="words num" translate="no">
      <span className="callers">{texts.called(calls)}</span> <span>{texts.atStake(poolCents)}</span>
    </p>
  );
}

type Words = (calls: number) => string;

/** In the other phases something else fills the screen. */
const wordsFor: Partial<Record<Phase, Words>> = {
  visible: () => texts.getReady,
  closing: texts.lastSeconds,
  locking: () => texts.callsClosing,
  closed: texts.waitingForResult,
  paused: () => texts.paused,
  withdrawn: () => texts.withdrawn,
};
