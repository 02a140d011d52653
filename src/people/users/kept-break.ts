import { randomBytes } from "node:crypto";
import { type SQL, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { lockWallet } from "#db/ledger/locks.ts";

// Decision: a person who deletes an account on a break, or moves it to another address, and registers again with the former one is still on
// it. Nothing stays for that but a hash of the address, until the break has ended. Each hash has a salt of its own and no key, so that it is
// found after a rotation of the secret key too. For that all kept breaks are hashed with the address: 10,000 of them in some 15 ms.

type Named = { userId: number; email: string | null };

/** Keeps the break of an account that is deleted, or leaves this address, in this transaction. Does nothing on no break. */
export async function keepBreak(tx: Transaction, { userId, email }: Named): Promise<void> {
  if (email === null) return;
  const salt = randomBytes(16).toString("base64url");
  await tx.execute(sql`INSERT INTO kept_breaks (mail_hash, salt, period, ends_at)
    SELECT ${hashOf(email, sql`${salt}::text`)}, ${salt}, period, ends_at FROM breaks b
    WHERE user_id = ${userId} AND ends_at > game_now() AND NOT EXISTS (${keptOf(email)} AND k.ends_at >= b.ends_at)
    ORDER BY ends_at DESC LIMIT 1`);
}

/** The break of a deleted account goes on for the account that has its address now. Does nothing where none was kept. */
export async function resumeBreak(tx: Transaction, { userId, email }: Named): Promise<void> {
  if (email === null) return;
  await lockWallet(tx, userId);
  await tx.execute(sql`INSERT INTO breaks (user_id, period, ends_at, resumed)
    ${keptOf(email, sql`${userId}, k.period, k.ends_at, true`)}
      AND NOT EXISTS (SELECT 1 FROM breaks b WHERE b.user_id = ${userId} AND b.ends_at >= k.ends_at)
    ORDER BY k.ends_at DESC LIMIT 1`);
}

/** The breaks of an address that have not ended. */
function keptOf(email: string, columns = sql`1`): SQL {
  return sql`SELECT ${columns} FROM kept_breaks k WHERE k.ends_at > game_now() AND k.mail_hash = ${hashOf(email, sql`k.salt`)}`;
}

function hashOf(email: string, salt: SQL): SQL {
  return sql`encode(sha256(convert_to(${salt} || ${email.toLowerCase()}, 'UTF8')), 'base64')`;
}
