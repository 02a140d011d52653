import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../client.ts";
import { wholeNumber, queryValue, queryFirst } from "./query.ts";

/**
 * Seals the journals and audit rows that were committed since the last seal, at most `rowsMax` of each.
 * @returns how many; 0 if there are none, or if another process is sealing.
 */
export function sealJournals(db: Queryable, { rowsMax }: { rowsMax: number }): Promise<number> {
  return queryValue(db, wholeNumber)`SELECT seal_journals(${rowsMax})`;
}

const seal = v.object({ id: wholeNumber, hash: v.string(), sealedAt: v.date() });
type Seal = v.InferOutput<typeof seal>;

const columns = sql`id, hash, sealed_at AS "sealedAt"`;

/** The newest seal; null before the first one. Its hash covers everything booked before it. */
export function findNewestSeal(db: Queryable): Promise<Seal | null> {
  return queryFirst(db, seal)`SELECT ${columns} FROM journal_seals ORDER BY id DESC LIMIT 1`;
}

/** The seal with this hash; null if the chain has none. */
export function findSeal(db: Queryable, hash: string): Promise<Seal | null> {
  return queryFirst(db, seal)`SELECT ${columns} FROM journal_seals WHERE hash = ${hash}`;
}
