import type { Deps } from "#src/base/deps.ts";
import { rekey } from "#src/base/once.ts";
import { REPLAYED_HEADER } from "#src/http/if-match.ts";
import { wholeCentsOf } from "#src/http/money.ts";
import { readLate } from "#src/http/read-late.ts";
import { serveEndpoints } from "#src/people/sign-ins/serve-endpoints.ts";
import { adjustWallet } from "./adjust-wallet.ts";
import { walletEndpoints } from "./endpoints.ts";
import { findWalletView } from "./find-wallet-view.ts";
import { exportTransactions, listTransactions, readOwnerId } from "./list-transactions.ts";
import { topUpWallet } from "./top-up-wallet.ts";

export function walletRoutes(deps: Deps) {
  const { db } = deps.pool;
  return serveEndpoints(walletEndpoints, {
    showWallet: async ({ params }) => ({ wallet: await findWalletView(db, params.id) }),
    adjustWallet: async ({ viewer, params, body, idempotencyKey, set }) => {
      const { amount, reason } = body.adjustment;
      const order = { actor: viewer, userId: params.id, amountCents: wholeCentsOf(amount), reason };
      const { replayed } = await adjustWallet(deps, { ...order, idempotencyKey });
      set.headers[REPLAYED_HEADER] = String(replayed);
      return { wallet: await findWalletView(db, params.id) };
    },
    topUpWallet: async ({ viewer, keyed }) => {
      await topUpWallet(deps, viewer, rekey(keyed, { purpose: "top-up", request: {} }));
      return { wallet: await findWalletView(db, viewer.id) };
    },
    exportTransactions: ({ request, viewer, query }) =>
      readLate(deps, request, ({ pool }) => exportTransactions(pool.db, viewer, query)),
    listTransactions: async ({ context, viewer, query, page, now }) => {
      const asked = { userId: await readOwnerId(db, viewer, query), page };
      return (await context.knownTransactions?.(asked)) ?? listTransactions(deps.pool, asked, now);
    },
  });
}
