import { rekey } from "#src/base/once.ts";
import { REPLAYED_HEADER } from "#src/http/if-match.ts";
import { wholeCentsOf } from "#src/http/money.ts";
import { readLate } from "#src/http/read-late.ts";
import { endpoint } from "#src/people/sign-ins/serve-endpoints.ts";
import { adjustWallet } from "./adjust-wallet.ts";
import { findWalletView } from "./find-wallet-view.ts";
import { exportTransactions, listTransactions, readOwnerId } from "./list-transactions.ts";
import { adjustWalletBody, ownerQuery, transactionsAnswer, walletAnswer } from "./schemas.ts";
import { topUpWallet } from "./top-up-wallet.ts";

/** A user's own wallet (guests have one too) and its history. Admins read and adjust all wallets. */
export const walletEndpoints = {
  showWallet: endpoint({
    route: "GET /api/v1/users/:id/wallet",
    summary: "Shows a wallet with its metrics",
    who: "own",
    token: "none",
    answer: walletAnswer,
    handle: async (deps, { params }) => ({ wallet: await findWalletView(deps.pool.db, params.id) }),
  }),
  adjustWallet: endpoint({
    route: "POST /api/v1/users/:id/wallet/adjustments",
    summary: "Adjusts a player's wallet",
    notes: "An amount that the wallet cannot cover becomes debt. The player is notified with the reason.",
    who: "admin",
    body: { adjustment: adjustWalletBody },
    answer: walletAnswer,
    creates: true,
    refusals: {
      idempotency_key_reused: "The key belongs to another adjustment.",
      forbidden: { status: 403, when: "The wallet is the admin's own." },
    },
    handle: async (deps, { viewer, params, body, idempotencyKey, set }) => {
      const { amount, reason } = body.adjustment;
      const order = { actor: viewer, userId: params.id, amountCents: wholeCentsOf(amount), reason };
      const { replayed } = await adjustWallet(deps, { ...order, idempotencyKey });
      set.headers[REPLAYED_HEADER] = String(replayed);
      return { wallet: await findWalletView(deps.pool.db, params.id) };
    },
  }),
  topUpWallet: endpoint({
    route: "POST /api/v1/users/:id/wallet/top_up",
    summary: "Tops up the wallet of a player who has run out of play money",
    notes: "Once a day, up to $10.00, for a wallet with less than $1.00 and nothing in open calls.",
    who: "self",
    answer: walletAnswer,
    idempotent: true,
    refusals: {
      not_broke: "The wallet still holds enough.",
      topped_up_today: "The wallet was topped up today.",
    },
    handle: async (deps, { viewer, keyed }) => {
      await topUpWallet(deps, viewer, rekey(keyed, { purpose: "top-up", request: {} }));
      return { wallet: await findWalletView(deps.pool.db, viewer.id) };
    },
  }),
  exportTransactions: endpoint({
    route: "GET /api/v1/transactions.csv",
    summary: "Exports all of a wallet's transactions as a CSV file, oldest first",
    who: "account",
    token: "none",
    query: ownerQuery.entries,
    answer: "file",
    handle: (deps, { request, viewer, query }) =>
      readLate(deps, request, ({ pool }) => exportTransactions(pool.db, viewer, query)),
  }),
  listTransactions: endpoint({
    route: "GET /api/v1/transactions",
    summary: "Lists a wallet's transactions, newest first",
    who: "account",
    token: "none",
    query: ownerQuery.entries,
    paged: true,
    newestFirst: true,
    answer: transactionsAnswer,
    handle: async (deps, { context, viewer, query, page, now }) => {
      const asked = { userId: await readOwnerId(deps.pool.db, viewer, query), page };
      return (await context.knownTransactions?.(asked)) ?? listTransactions(deps.pool, asked, now);
    },
  }),
};
