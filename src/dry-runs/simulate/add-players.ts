import { sql } from "drizzle-orm";
import { writeIntegerArray } from "#db/ledger/write-array.ts";
import { users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";

type NewPlayer = { username: string; grantCents: number };

/**
 * Adds players with a wallet of play money to a database that a simulation owns.
 * @returns what each was granted, in cents, by user id, in the order of the players.
 */
export async function addPlayers(
  { pool: { db } }: Pick<Deps, "pool">,
  players: readonly NewPlayer[],
): Promise<Map<number, number>> {
  const inserted = await db
    .insert(users)
    .values(players.map(({ username }) => ({ username, email: `${username}@example.test` })))
    .returning({ id: users.id });
  const granted = inserted.map(({ id }, index): [number, number] => [id, players[index]?.grantCents ?? 0]);
  const ids = writeIntegerArray(granted.map(([id]) => id));
  const amounts = writeIntegerArray(granted.map(([, amountCents]) => amountCents));
  await db.execute(sql`SELECT open_wallet(id) FROM unnest(${ids}::bigint[]) AS id`);
  await db.execute(sql`SELECT grant_play_money(id, amount, 'welcome-' || id, NULL, 'Welcome')
    FROM unnest(${ids}::bigint[], ${amounts}::bigint[]) AS granted(id, amount)`);
  return new Map(granted);
}
