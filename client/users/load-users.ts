import type { LoaderFunctionArgs } from "react-router";
import type { UsersAnswer } from "#src/profiles/schemas.ts";
import { randomId } from "../browser/random-id.ts";
import { apiContext } from "../context.ts";
import { defer } from "../deferred/defer.ts";
import type { Deferred } from "../deferred/deferred.ts";
import { pageIn } from "../ui/page-in.ts";

export type UsersData = {
  page: Deferred<UsersAnswer>;
  search: string;
  /** Idempotency-Key of the next announcement: a form sent twice makes one announcement. */
  formKey: string;
};

/** A page of all users: `?search=ana&page=2`. */
export async function loadUsers(args: LoaderFunctionArgs): Promise<UsersData> {
  const { context, request } = args;
  const query = new URL(request.url).searchParams;
  const search = query.get("search")?.trim() ?? "";
  const page = await defer(args, () =>
    context.get(apiContext).get("/api/v1/users", {
      query: { search: search === "" ? undefined : search, page: pageIn(query) },
      signal: request.signal,
    }),
  );
  return { page, search, formKey: randomId() };
}
