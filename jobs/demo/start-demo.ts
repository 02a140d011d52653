import { once } from "node:events";
import type { Deps } from "#src/base/deps.ts";
import { Refusal } from "#src/base/refusal.ts";
import { stepRehearsal } from "./rehearsal.ts";
import { Robots } from "./robots.ts";

const STEP_EVERY_MS = 1_000;

/**
 * Plays rehearsals with robots, one after the other, with two small queries a second. Any number of workers may do so at the
 * same time. A step that fails is logged; the next one follows as usual.
 */
export function startDemo(deps: Deps): { stop: () => Promise<void> } {
  const robots = new Robots(deps);
  const stopping = new AbortController();
  const stopped = once(stopping.signal, "abort");
  const playing = (async () => {
    while (!stopping.signal.aborted) {
      await step(deps, robots);
      await Promise.race([stopped, Bun.sleep(STEP_EVERY_MS)]);
    }
  })();
  return {
    stop: async () => {
      stopping.abort();
      await playing;
      await robots.stop();
    },
  };
}

async function step(deps: Deps, robots: Robots): Promise<void> {
  try {
    await stepRehearsal(deps);
    await robots.planNewEvents();
  } catch (error) {
    // Another worker or an admin was faster. The next step sees the new state.
    if (error instanceof Refusal) deps.log.debug({ err: error }, "a step of the rehearsal was refused");
    else deps.log.warn({ err: error }, "a step of the rehearsal failed");
  }
}
