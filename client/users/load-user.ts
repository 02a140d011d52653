import type { LoaderFunctionArgs } from "react-router";
import type { PaymentView } from "#src/payments/schemas.ts";
import type { ProfileView } from "#src/profiles/schemas.ts";
import type { TransactionView } from "#src/wallet/schemas.ts";
import { randomId } from "../browser/random-id.ts";
import { apiContext } from "../context.ts";
import { defer } from "../deferred/defer.ts";
import type { Deferred } from "../deferred/deferred.ts";
import { rowIdIn } from "../row-id.ts";

const TRANSACTIONS_SHOWN = 10;
const PAYMENTS_SHOWN = 20;

export type UserData = {
  user: ProfileView;
  /** Newest first. */
  transactions: Deferred<TransactionView[]>;
  /** Newest first. */
  payments: Deferred<PaymentView[]>;
  /** Idempotency-Key of the next adjustment: a form sent twice moves the money once. */
  formKey: string;
};

/** For admins: one user, with the wallet's last transactions and payments. An unknown user is 404. */
export async function loadUser(args: LoaderFunctionArgs): Promise<UserData> {
  const { context, params, request } = args;
  const api = context.get(apiContext);
  const id = rowIdIn(params["id"]);
  const { signal } = request;
  const [{ user }, transactions, payments] = await Promise.all([
    api.get(`/api/v1/users/${encodeURIComponent(id)}`, { signal }),
    defer(args, async () => {
      const query = { userId: id, perPage: TRANSACTIONS_SHOWN };
      return (await api.get("/api/v1/transactions", { query, signal })).transactions;
    }),
    defer(args, async () => {
      const query = { userId: id, perPage: PAYMENTS_SHOWN };
      return (await api.get("/api/v1/payments", { query, signal })).payments;
    }),
  ]);
  return { user, transactions, payments, formKey: randomId() };
}
