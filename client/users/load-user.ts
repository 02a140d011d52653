import type { LoaderFunctionArgs } from "react-router";
import type { ProfileAnswer, ProfileView } from "#src/profiles/contract.ts";
import type { TransactionView } from "#src/wallet/contract.ts";
import { apiContext } from "../context.ts";

const TRANSACTIONS_SHOWN = 10;

export type UserData = {
  user: ProfileView;
  /** The newest. */
  transactions: TransactionView[];
  /** Idempotency-Key of the next adjustment: a form that is sent twice moves the money once. */
  formKey: string;
};

/** One user with the wallet's last movements, for admins. */
export async function loadUser({ context, params, request }: LoaderFunctionArgs): Promise<UserData> {
  const api = context.get(apiContext);
  const id = params["id"] ?? "";
  const { signal } = request;
  const [{ user }, { transactions }] = await Promise.all([
    api.get<ProfileAnswer>(`/api/v1/users/${encodeURIComponent(id)}`, { signal }),
    api.get<{ transactions: TransactionView[] }>("/api/v1/transactions", {
      query: { userId: id, perPage: TRANSACTIONS_SHOWN },
      signal,
    }),
  ]);
  return { user, transactions, formKey: crypto.randomUUID() };
}
