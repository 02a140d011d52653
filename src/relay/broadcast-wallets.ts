import { findWalletViews } from "#src/wallet/find-wallet-view.ts";
import { forUser } from "./address-message.ts";
import type { Messages, Telling } from "./messages.ts";

const WALLETS_AT_ONCE = 500;

/** Each player hears once of the own wallet as it stands now. */
export async function* tellWallets(
  { tx, serverTime }: Pick<Telling, "tx" | "serverTime">,
  userIds: readonly number[],
): Messages {
  const players = [...new Set(userIds)];
  for (let start = 0; start < players.length; start += WALLETS_AT_ONCE) {
    const wallets = await findWalletViews(tx, players.slice(start, start + WALLETS_AT_ONCE));
    yield [...wallets].map(([userId, wallet]) =>
      forUser(userId, {
        sourceType: "Wallet",
        eventType: "balance_change",
        detail: { wallet, version: wallet.version, serverTime },
      }),
    );
  }
}
