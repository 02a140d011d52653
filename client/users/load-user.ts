import type { LoaderFunctionArgs } from "react-router";
import type { PaymentView } from "#src/payments/schemas.ts";
import type { ProfileView } from "#src/profiles/schemas.ts";
import type { TransactionView } from "#src/wallet/schemas.ts";
import { apiContext } from "../context.ts";

const TRANSACTIONS_SHOWN = 10;
const PAYMENTS_SHOWN = 20;

export type UserData = {
  user: ProfileView;
  /** Newest first. */
  transactions: TransactionView[];
  /** Newest first. */
  payments: PaymentView[];
  /** Idempotency-Key of the next adjustment: a form sent twice moves the money once. */
  formKey: string;
};

/** For admins: one user, with the wallet's last transactions and payments. */
export async function loadUser({ context, params, request }: LoaderFunctionArgs): Promise<UserData> {
  const api = context.get(apiContext);
  const id = params["id"] ?? "";
  const { signal } = request;
  const [{ user }, { transactions }, { payments }] = await Promise.all([
    api.get(`/api/v1/users/${encodeURIComponent(id)}`, { signal }),
    api.get("/api/v1/transactions", {
      query: { userId: id, perPage: TRANSACTIONS_SHOWN },
      signal,
    }),
    api.get("/api/v1/payments", { query: { userId: id, perPage: PAYMENTS_SHOWN }, signal }),
  ]);
  return { user, transactions, payments, formKey: crypto.randomUUID() };
}
