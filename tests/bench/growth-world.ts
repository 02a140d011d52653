import { sql } from "drizzle-orm";
import * as v from "valibot";
import { inTransaction } from "#db/client.ts";
import { listDifferences } from "#tests/support/books.ts";
import { type Filled, fillGrowth } from "../growth/fill-growth.ts";
import type { Shape } from "../growth/fill-size.ts";
import { openBenchDeps, type BenchDeps } from "./bench-deps.ts";
import { buildShow, type Show, type ShowViewer, signIn } from "./build-show.ts";
import { fillLive } from "./fill-live.ts";
import { startWeb, type Web } from "./start-web.ts";
import { waitForBroadcasts } from "./wait-for-broadcasts.ts";

/** A product of one size, with its own servers. */
export type World = {
  name: string;
  /** How long it took to fill it, and then to check the books, and which checks found a difference. */
  fillMs: number;
  checkMs: number;
  differences: string[];
  /** Of its database, with the indexes. */
  bytes: number;
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
export async function openWorld({ name, shape }: { name: string; shape: Shape }): Promise<World> {
  const deps = await openBenchDeps();
  const { result: filled, ms: fillMs } = await timed(() => fillGrowth(deps, shape));
  const { result: different, ms: checkMs } = await timed(() => listDifferencesSlowly(deps));
  const show = await buildShow(deps, { callsOnFirst: (event) => fillLive(deps, filled, event) });
  const heavy = await signIn(deps, {
    id: filled.heavyPlayerId,
    username: `filled_${filled.heavyPlayerId - filled.firstId}`,
  });
  const web = await startWeb(deps);
  await waitForBroadcasts(deps);
  return {
    name,
    fillMs,
    checkMs,
    differences: different.map((each) => each.name),
    bytes: await sizeOf(deps),
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

async function timed<Result>(work: () => Promise<Result>): Promise<{ result: Result; ms: number }> {
  const startedAt = performance.now();
  const result = await work();
  return { result, ms: performance.now() - startedAt };
}

/** The checks of a large world take longer than a statement may. */
function listDifferencesSlowly({ pool }: BenchDeps) {
  return inTransaction(pool.db, async (tx) => {
    await tx.execute(sql`SET LOCAL statement_timeout = 0`);
    return listDifferences(tx);
  });
}

async function sizeOf({ pool }: BenchDeps): Promise<number> {
  const rows = await pool.db.execute(sql`SELECT pg_database_size(current_database())::float8 AS bytes`);
  return v.parse(v.tuple([v.object({ bytes: v.number() })]), [...rows])[0].bytes;
}
