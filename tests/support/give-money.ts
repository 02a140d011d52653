import type { Queryable } from "#db/client.ts";
import { grantPlayMoney } from "#db/ledger/grant-play-money.ts";
import { ADJUSTMENT_MAX_CENTS } from "#db/lists/limits.ts";
import { adjustWithAudit } from "./adjust.ts";

/** The most that the product grants a player at the start. */
const START_MAX_CENTS = 10_000;
/** No user has an id like this. */
const ADMIN = 1_000_000_000;

/** Gives a new player the first money, as the books allow it: as a start, or more than that by an admin's adjustments. */
export async function giveMoney(db: Queryable, userId: number, amountCents: number): Promise<void> {
  if (amountCents === 0) return;
  const order = { userId, amountCents, idempotencyKey: `welcome-${userId}`, reason: "Welcome" };
  if (amountCents <= START_MAX_CENTS) await grantPlayMoney(db, order);
  else {
    for (let leftCents = amountCents; leftCents > 0; leftCents -= ADJUSTMENT_MAX_CENTS) {
      const part = { amountCents: Math.min(leftCents, ADJUSTMENT_MAX_CENTS), actorId: ADMIN };
      await adjustWithAudit(db, {
        ...order,
        ...part,
        idempotencyKey: `${order.idempotencyKey}-${leftCents}`,
      });
    }
  }
}
