import type { Queryable } from "#db/client.ts";
import { grantPlayMoney } from "#db/ledger/grant-play-money.ts";
import { adjustWithAudit } from "./adjust.ts";

/** The most that the product grants a player at the start. */
const START_MAX_CENTS = 10_000;
/** No user has an id like this. */
const ADMIN = 1_000_000_000;

/** Gives a new player the first money, as the books allow it: as a start, or more than that by an admin's adjustment. */
export async function giveMoney(db: Queryable, userId: number, amountCents: number): Promise<void> {
  if (amountCents === 0) return;
  const order = { userId, amountCents, idempotencyKey: `welcome-${userId}`, reason: "Welcome" };
  if (amountCents <= START_MAX_CENTS) await grantPlayMoney(db, order);
  else await adjustWithAudit(db, { ...order, actorId: ADMIN });
}
