import * as v from "valibot";
import type { Transaction } from "#db/client.ts";
import { grantPlayMoney, wasGranted } from "#db/ledger/grant-play-money.ts";
import { lockForGrant } from "#db/ledger/locks.ts";
import { queryValue } from "#db/ledger/query.ts";
import { readWallets, type Wallet } from "#db/ledger/read-wallet.ts";
import { TOP_UP_TO_CENTS } from "#db/lists/limits.ts";
import type { Deps } from "#src/base/deps.ts";
import { type MaybeKeyed, nothingMore, once } from "#src/base/once.ts";
import { type FieldErrors, invalid, notFound, type Refusal } from "#src/base/refusal.ts";
import { formatMoney } from "#src/http/contract.ts";
import { dollarsOf } from "#src/http/money.ts";
import { isBroke, TOP_UP_BELOW_CENTS, type topUpRefusals } from "./contract.ts";
import { withWallet } from "./with-wallet.ts";

/**
 * Tops up the wallet of a player who has run out of play money, once per UTC day.
 * @throws Refusal 422 for a wallet that still holds enough, and for a second top-up on one day; 404 for an unknown wallet.
 */
export async function topUpWallet(
  deps: Deps,
  { id: userId }: { id: number },
  keyed: MaybeKeyed = null,
): Promise<void> {
  await withWallet(deps, { userId }, (tx) => once(tx, keyed, nothingMore, () => topUp(tx, userId)));
  deps.notifyRelay();
}

async function topUp(tx: Transaction, userId: number): Promise<object> {
  await lockForGrant(tx, userId);
  const [wallet] = await readWallets(tx, [userId]);
  if (wallet === undefined) throw notFound();
  requireBroke(wallet);
  const day = await queryValue(tx, v.string())`SELECT (game_now() AT TIME ZONE 'UTC')::date::text`;
  const idempotencyKey = `top-up-${userId}-${day}`;
  if (await wasGranted(tx, idempotencyKey)) throw toppedUpToday();
  const amountCents = TOP_UP_TO_CENTS - wallet.availableCents;
  await grantPlayMoney(tx, { userId, amountCents, idempotencyKey, reason: "Top-up" });
  return {};
}

function requireBroke({ availableCents, heldCents }: Wallet): void {
  if (isBroke({ availableBalanceCents: availableCents, heldCents })) return;
  if (heldCents > 0) {
    const detail = `You still have ${formatMoney(heldCents)} in open calls. You can top up once they are settled.`;
    throw refused("not_broke", { wallet: ["is not empty"] }, detail);
  }
  throw refused(
    "not_broke",
    { availableBalance: [`must be less than ${dollarsOf(TOP_UP_BELOW_CENTS)}`] },
    `You still have ${formatMoney(availableCents)}. You can top up when less than ${formatMoney(TOP_UP_BELOW_CENTS)} is left.`,
  );
}

function toppedUpToday(): Refusal {
  const detail = "You have topped up today. You can top up again tomorrow.";
  return refused("topped_up_today", { wallet: ["was topped up today"] }, detail);
}

function refused(code: (typeof topUpRefusals)[number], errors: FieldErrors, detail: string): Refusal {
  return invalid(errors, { code, detail });
}
