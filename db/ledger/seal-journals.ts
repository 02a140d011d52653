import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../client.ts";
import { queryRow, queryRows, wholeNumber } from "./query.ts";

/**
 * Seals the journals and audit rows that were committed since the last seal, at most `rowsMax` of each.
 * @returns how many; 0 if there are none, or if another process is sealing.
 */
export async function sealJournals(db: Queryable, { rowsMax }: { rowsMax: number }): Promise<number> {
  const { sealed } = await queryRow(
    db,
    v.object({ sealed: wholeNumber }),
    sql`SELECT seal_journals(${rowsMax}) AS sealed`,
  );
  return sealed;
}

const seal = v.object({ id: wholeNumber, hash: v.string(), sealedAt: v.date() });
type Seal = v.InferOutput<typeof seal>;

const columns = sql`id, hash, sealed_at AS "sealedAt"`;

/** The newest seal; null before the first one. Its hash covers everything booked before it. */
export async function findNewestSeal(db: Queryable): Promise<Seal | null> {
  const [newest] = await queryRows(
    db,
    seal,
    sql`SELECT ${columns} FROM journal_seals ORDER BY id DESC LIMIT 1`,
  );
  return newest ?? null;
}

/** The seal with this hash; null if the chain has none. */
export async function findSeal(db: Queryable, hash: string): Promise<Seal | null> {
  const [found] = await queryRows(db, seal, sql`SELECT ${columns} FROM journal_seals WHERE hash = ${hash}`);
  return found ?? null;
}
