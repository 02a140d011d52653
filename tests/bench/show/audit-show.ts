import { sql } from "drizzle-orm";
import * as v from "valibot";
import { listDifferences } from "#tests/support/books.ts";
import type { BenchDeps } from "../bench-deps.ts";
import type { Asked, ShowReport } from "./contract.ts";

/** What was true at the end. All but the first two and the sizes must be 0. */
export type ShowAudit = {
  acknowledged: number;
  booked: number;
  notBooked: number;
  notPaid: number;
  notTold: number;
  /** Calls of which a result was not seen, of as many as their question had. */
  notSeen: number;
  differences: number;
  redisMegabytes: number;
  databaseMegabytes: number;
};

const MB = 1_048_576;
const bookedRows = v.array(v.object({ id: v.number(), state: v.string() }));

/** Compares what the players noted with the books. */
export async function auditShow(
  deps: BenchDeps,
  { reports, asked }: { reports: readonly ShowReport[]; asked: readonly Asked[] },
): Promise<ShowAudit> {
  const calls = reports.flatMap((each) => each.calls);
  const results = new Map(asked.map(({ eventId, results: count }) => [eventId, count]));
  const { db } = deps.pool;
  const rows = v.parse(bookedRows, [...(await db.execute(sql`SELECT id::float8 AS id, state FROM calls`))]);
  const booked = new Map(rows.map(({ id, state }) => [id, state]));
  const sizes = await db.execute(sql`SELECT pg_database_size(current_database())::float8 AS bytes`);
  const [{ bytes }] = v.parse(v.tuple([v.object({ bytes: v.number() })]), [...sizes]);
  const count = (isBad: (call: (typeof calls)[number]) => boolean) => calls.filter(isBad).length;
  return {
    acknowledged: calls.length,
    booked: booked.size,
    notBooked: count(({ id }) => !booked.has(id)),
    notPaid: count(({ id }) => booked.get(id) !== "resolved"),
    notTold: count(({ isHeard }) => !isHeard),
    notSeen: count(({ eventId, resultsAtMs }) => resultsAtMs.length < (results.get(eventId) ?? 1)),
    differences: (await listDifferences(db)).length,
    redisMegabytes: Number(/used_memory_peak:(\d+)/.exec(await deps.redis.info("memory"))?.[1]) / MB,
    databaseMegabytes: bytes / MB,
  };
}
