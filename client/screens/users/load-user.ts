import { type LoaderFunctionArgs, redirect } from "react-router";
import { randomId } from "#client/base/browser/random-id.ts";
import { defer } from "#client/base/deferred/defer.ts";
import type { Deferred } from "#client/base/deferred/deferred.ts";
import { apiContext } from "#client/base/page/context.ts";
import { rowIdIn } from "#client/base/page/row-id.ts";
import type { PaymentView } from "#src/money/payments/schemas.ts";
import type { TransactionView } from "#src/money/wallet/schemas.ts";
import type { ProfileView } from "#src/profiles/schemas.ts";

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

/** The query after an address of a guest has led to the account that the guest is a part of. */
export const PART_OF_ACCOUNT = "?guest=merged";

/**
 * For admins: one user, with the wallet's last transactions and payments. An unknown user is 404; a guest who is a part of an account
 * leads to the account, which has the guest's calls and money.
 */
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
  if (user.mergedInto !== null) throw redirect(`/users/${user.mergedInto}${PART_OF_ACCOUNT}`);
  return { user, transactions, payments, formKey: randomId() };
}
