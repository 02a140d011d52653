import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as v from "valibot";
import { inTransaction } from "#db/client.ts";
import { paySettlementPart } from "#db/ledger/pay-settlement-part.ts";
import { wholeNumber } from "#db/ledger/query.ts";
import { updateScores } from "#src/play/leaderboard/update-scores.ts";
import { resolveEvent } from "#src/show/events/resolve-event.ts";
import { buildLargeEvent } from "#tests/bench/settle/large-event.ts";
import { buildAdmin } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { payNow } from "#tests/support/pay.ts";

const CALLS = 1_500;
const PART = 100;

const deps = await testDeps();
const admin = await buildAdmin(deps);

async function buildPaid(): Promise<number> {
  const { event } = await buildLargeEvent(deps, CALLS);
  await resolveEvent(deps, { eventId: event.id, actor: admin, result: "true" });
  await payNow(deps);
  return event.id;
}

test("a part of a correction reads the rows of its own players, however many have called the event", async () => {
  // The planner knows an earlier event, and takes this one for small.
  await buildPaid();
  await deps.pool.db.execute(sql`ANALYZE results, scores`);
  const eventId = await buildPaid();
  await resolveEvent(deps, { eventId, actor: admin, result: "false", reason: "The replay" });
  await inTransaction(deps.pool.db, async (tx) => {
    const part = await paySettlementPart(tx, eventId, { callsMax: PART });
    const [from, to] = [part?.players[0]?.userId ?? 0, part?.players.at(-1)?.userId ?? 0];
    expect(part?.callsCount).toBe(PART);
    await updateScores(tx, eventId, { from, to });
    const [{ rows }] = v.parse(v.tuple([v.object({ rows: wholeNumber })]), [
      ...(await tx.execute(sql`SELECT sum(seq_tup_read + idx_tup_fetch)::bigint AS rows FROM pg_stat_xact_user_tables
        WHERE relname IN ('results', 'scores')`)),
    ]);
    expect(rows).toBeLessThan(20 * PART);
  });
});
