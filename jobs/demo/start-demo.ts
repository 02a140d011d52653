import { once } from "node:events";
import type { Deps } from "#src/base/deps.ts";
import { Refusal } from "#src/base/refusal.ts";
import { stepRehearsal } from "./rehearsal.ts";
import { Robots } from "./robots.ts";

const STEP_EVERY_MS = 1_000;

/**
 * Keeps a rehearsal playing and its robots at it, with two small queries a second. Any number of workers may do so side by
 * side. A step that fails is logged; the next one comes in its turn.
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
    await robots.look();
  } catch (error) {
    // Somebody else was faster: the next step sees what has become of it.
    if (error instanceof Refusal) deps.log.debug({ err: error }, "the rehearsal was refused a step");
    else deps.log.warn({ err: error }, "the rehearsal missed a step");
  }
}
