import type { LoaderFunctionArgs } from "react-router";
import { randomId } from "#client/base/browser/random-id.ts";
import { defer } from "#client/base/deferred/defer.ts";
import type { Deferred } from "#client/base/deferred/deferred.ts";
import { pageIn } from "#client/base/format/page-in.ts";
import { apiContext } from "#client/base/page/context.ts";
import { userGroups, userOrders } from "#src/profiles/contract.ts";
import type { UsersAnswer } from "#src/profiles/schemas.ts";

export type UsersData = {
  page: Deferred<UsersAnswer>;
  search: string;
  role: string;
  order: string;
  /** Idempotency-Key of the next announcement: a form sent twice makes one announcement. */
  formKey: string;
};

/** A page of all users: `?search=ana&role=guest&order=name&page=2`. */
export async function loadUsers(args: LoaderFunctionArgs): Promise<UsersData> {
  const { context, request } = args;
  const query = new URL(request.url).searchParams;
  const search = query.get("search")?.trim() ?? "";
  const [role, order] = [query.get("role") ?? "", query.get("order") ?? ""];
  const page = await defer(args, () =>
    context.get(apiContext).get("/api/v1/users", {
      query: {
        search: given(search),
        role: userGroups.find((group) => group === role),
        order: userOrders.find((each) => each === order),
        page: pageIn(query),
      },
      signal: request.signal,
    }),
  );
  return { page, search, role, order, formKey: randomId() };
}

const given = (text: string) => (text === "" ? undefined : text);
