import { Elysia } from "elysia";
import type { Deps } from "#src/deps.ts";
import { readId } from "#src/http/read-id.ts";
import { requireAccount, requireAdmin, requireViewer } from "#src/users/require-viewer.ts";
import { visiting } from "#src/users/visiting.ts";
import { requireSelf } from "#src/users/require-self.ts";
import { adjustWallet } from "./adjust-wallet.ts";
import { exportTransactions } from "./export-transactions.ts";
import { findWalletView } from "./find-wallet-view.ts";
import { listTransactions } from "./list-transactions.ts";
import { readAdjustment } from "./read-adjustment.ts";
import { requireOwn } from "#src/users/require-own.ts";
import { topUpWallet } from "./top-up-wallet.ts";

/** One's own wallet, which guests have too, and its history; an admin may look at everybody's, and correct it. */
export function walletRoutes(deps: Deps) {
  return new Elysia({ name: "wallet" })
    .use(visiting(deps))
    .get("/api/v1/users/:id/wallet", async ({ params, visit }) => {
      const userId = readId(params.id);
      requireOwn(requireViewer(visit), userId);
      return { wallet: await findWalletView(deps.pool.db, userId) };
    })
    .post("/api/v1/users/:id/wallet/adjustments", async ({ params, body, request, visit, set }) => {
      const actor = requireAdmin(visit);
      const userId = readId(params.id);
      await adjustWallet(deps, { ...readAdjustment(body, request.headers), userId, actor });
      set.status = 201;
      return { wallet: await findWalletView(deps.pool.db, userId) };
    })
    .post("/api/v1/users/:id/wallet/top_up", async ({ params, visit }) => {
      const viewer = requireViewer(visit);
      requireSelf(viewer, readId(params.id));
      await topUpWallet(deps, viewer.id);
      return { wallet: await findWalletView(deps.pool.db, viewer.id) };
    })
    .get("/api/v1/transactions.csv", ({ query, visit }) =>
      exportTransactions(deps.pool.db, requireAccount(visit), query),
    )
    .get("/api/v1/transactions", ({ query, visit }) =>
      listTransactions(deps.pool.db, requireAccount(visit), { query, now: new Date() }),
    );
}
