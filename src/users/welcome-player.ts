import type { Queryable } from "#db/client.ts";
import { grantPlayMoney } from "#db/ledger/grant-play-money.ts";
import { openWallet } from "#db/ledger/open-wallet.ts";

const WELCOME_CENTS = 10_000;

/** Opens the wallet of a new user and grants the initial play money, once: repeating it changes nothing. */
export async function welcomePlayer(tx: Queryable, userId: number): Promise<void> {
  await openWallet(tx, userId);
  await grantPlayMoney(tx, {
    userId,
    amountCents: WELCOME_CENTS,
    idempotencyKey: `welcome-${userId}`,
    reason: "Welcome",
  });
}
