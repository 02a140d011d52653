import { type Filled, fillGrowth } from "../growth/fill-growth.ts";
import { shapeOf } from "../growth/fill-size.ts";
import { openBenchDeps, type BenchDeps } from "./bench-deps.ts";
import { buildShow, type Show, type ShowViewer, signIn } from "./build-show.ts";
import { fillLive } from "./fill-live.ts";
import { startWeb, type Web } from "./start-web.ts";
import { waitForBroadcasts } from "./wait-for-broadcasts.ts";

/** A product of one size, with its own servers. */
export type World = {
  factor: number;
  deps: BenchDeps;
  filled: Filled;
  show: Show;
  /** The player with the longest history. */
  heavy: ShowViewer;
  web: Web;
  /** The calls of the large event, and how long it took to decide and pay them. */
  settled: { calls: number; ms: number };
  stop: () => Promise<void>;
};

/**
 * Fills a database, and builds the show of `benchPage` in it, for which all filled players are registered. They have a call
 * each on its first event.
 */
export async function openWorld(factor: number): Promise<World> {
  const deps = await openBenchDeps();
  const filled = await fillGrowth(deps, shapeOf(factor));
  const show = await buildShow(deps, { callsOnFirst: (event) => fillLive(deps, filled, event) });
  const heavy = await signIn(deps, {
    id: filled.heavyPlayerId,
    username: `filled_${filled.heavyPlayerId - filled.firstId}`,
  });
  const web = await startWeb(deps);
  await waitForBroadcasts(deps);
  return {
    factor,
    deps,
    filled,
    show,
    heavy,
    web,
    settled: { calls: filled.users, ms: show.firstPaidMs },
    stop: async () => {
      await web.stop();
      await deps.close();
    },
  };
}
