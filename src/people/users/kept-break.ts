import { createHmac } from "node:crypto";
import { sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { lockWallet } from "#db/ledger/locks.ts";
import type { Env } from "#src/settings/env.ts";

// Decision: a person who deletes an account on a break, or moves it to another address, and registers again with the former one is still on
// it. Nothing stays for that but a keyed hash of the address, until the break has ended.

type BreakEnv = Pick<Env, "spending">;
type Named = { userId: number; email: string | null };

/** Keeps the break of an account that is deleted, or leaves this address, in this transaction. Does nothing on no break. */
export async function keepBreak(tx: Transaction, env: BreakEnv, { userId, email }: Named): Promise<void> {
  if (email === null) return;
  await tx.execute(sql`INSERT INTO kept_breaks (mail_hash, ends_at)
    SELECT ${hashOf(env, email)}, max(ends_at) FROM breaks WHERE user_id = ${userId} AND ends_at > game_now() HAVING count(*) > 0
    ON CONFLICT (mail_hash) DO UPDATE SET ends_at = greatest(kept_breaks.ends_at, excluded.ends_at)`);
}

/** The break of a deleted account goes on for the account that has its address now. Does nothing where none was kept. */
export async function resumeBreak(tx: Transaction, env: BreakEnv, { userId, email }: Named): Promise<void> {
  if (email === null) return;
  await lockWallet(tx, userId);
  await tx.execute(sql`INSERT INTO breaks (user_id, period, ends_at)
    SELECT ${userId}, 'half_year', k.ends_at FROM kept_breaks k
    WHERE k.mail_hash = ${hashOf(env, email)} AND k.ends_at > game_now()
      AND NOT EXISTS (SELECT 1 FROM breaks b WHERE b.user_id = ${userId} AND b.ends_at >= k.ends_at)`);
}

function hashOf({ spending: { breakKey } }: BreakEnv, email: string): string {
  return createHmac("sha256", breakKey).update(email.toLowerCase()).digest("base64url");
}
