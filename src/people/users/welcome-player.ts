import type { Queryable } from "#db/client.ts";
import { grantPlayMoney, openWallet } from "#db/ledger/grant-play-money.ts";
import { readGrantedCents } from "#db/ledger/was-granted.ts";
import { WELCOME_CENTS } from "#db/lists/limits.ts";

/**
 * Opens the wallet of a new user and grants the initial play money, once: repeating it changes nothing.
 * @param amountCents less for guests, where the setting GUEST_GRANT says so; 0 is none.
 */
export async function welcomePlayer(
  tx: Queryable,
  userId: number,
  amountCents: number = WELCOME_CENTS,
): Promise<void> {
  await openWallet(tx, userId);
  if (amountCents === 0) return;
  await grantPlayMoney(tx, { userId, amountCents, idempotencyKey: keyOf(userId), reason: "Welcome" });
}

/** Grants a guest who has an account now what the guest did not get, once. */
export async function welcomeAccount(tx: Queryable, userId: number): Promise<void> {
  const missingCents = WELCOME_CENTS - (await readGrantedCents(tx, keyOf(userId)));
  if (missingCents <= 0) return;
  const idempotencyKey = `welcome-account-${userId}`;
  await grantPlayMoney(tx, { userId, amountCents: missingCents, idempotencyKey, reason: "Welcome" });
}

const keyOf = (userId: number) => `welcome-${userId}`;
