import type { Endpoints } from "#src/http/endpoint.ts";
import { adjustWalletBody, ownerQuery, transactionsAnswer, walletAnswer } from "./schemas.ts";

/** One's own wallet, which guests have too, and its history; an admin may look at everybody's, and correct it. */
export const walletEndpoints = {
  showWallet: {
    method: "GET",
    path: "/api/v1/users/:id/wallet",
    summary: "Shows a wallet with its metrics",
    who: "own",
    answer: walletAnswer,
  },
  adjustWallet: {
    method: "POST",
    path: "/api/v1/users/:id/wallet/adjustments",
    summary: "Corrects a player's wallet by hand",
    notes: "What the wallet cannot cover becomes what the player owes. The player is told the reason.",
    who: "admin",
    body: { adjustment: adjustWalletBody },
    answer: walletAnswer,
    status: 201,
    idempotent: true,
    refusals: { idempotency_key_reused: "The key belongs to another adjustment." },
  },
  topUpWallet: {
    method: "POST",
    path: "/api/v1/users/:id/wallet/top_up",
    summary: "Gives play money to whoever has run out of it",
    notes: "Once a day, up to $10.00, for a wallet with less than $1.00 and nothing in open calls.",
    who: "self",
    answer: walletAnswer,
    idempotent: true,
    refusals: { not_broke: "The wallet still holds enough.", topped_up_today: "It was topped up today." },
  },
  exportTransactions: {
    method: "GET",
    path: "/api/v1/transactions.csv",
    summary: "Everything that happened to a wallet as a CSV file, oldest first",
    who: "account",
    query: ownerQuery.entries,
    answer: "file",
  },
  listTransactions: {
    method: "GET",
    path: "/api/v1/transactions",
    summary: "Lists what happened to a wallet, newest first",
    who: "account",
    query: ownerQuery.entries,
    paged: true,
    answer: transactionsAnswer,
  },
} as const satisfies Endpoints;
