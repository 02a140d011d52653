import type { Endpoints } from "#src/http/endpoint.ts";
import { adjustWalletBody, ownerQuery, transactionsAnswer, walletAnswer } from "./schemas.ts";

/** A user's own wallet (guests have one too) and its history. Admins read and adjust all wallets. */
export const walletEndpoints = {
  showWallet: {
    route: "GET /api/v1/users/:id/wallet",
    summary: "Shows a wallet with its metrics",
    who: "own",
    token: "none",
    answer: walletAnswer,
  },
  adjustWallet: {
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
  },
  topUpWallet: {
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
  },
  exportTransactions: {
    route: "GET /api/v1/transactions.csv",
    summary: "Exports all of a wallet's transactions as a CSV file, oldest first",
    who: "account",
    token: "none",
    query: ownerQuery.entries,
    answer: "file",
  },
  listTransactions: {
    route: "GET /api/v1/transactions",
    summary: "Lists a wallet's transactions, newest first",
    who: "account",
    token: "none",
    query: ownerQuery.entries,
    paged: true,
    newestFirst: true,
    answer: transactionsAnswer,
  },
} as const satisfies Endpoints;
