import type { LoaderFunctionArgs } from "react-router";
import type { UsersAnswer } from "#src/profiles/schemas.ts";
import { apiContext } from "../context.ts";
import { pageIn } from "../ui/page-in.ts";

export type UsersData = UsersAnswer & {
  search: string;
  /** Idempotency-Key of the next announcement: a form sent twice makes one announcement. */
  formKey: string;
};

/** A page of all users: `?search=ana&page=2`. */
export async function loadUsers({ context, request }: LoaderFunctionArgs): Promise<UsersData> {
  const query = new URL(request.url).searchParams;
  const search = query.get("search")?.trim() ?? "";
  const answer = await context.get(apiContext).get("/api/v1/users", {
    query: { search: search === "" ? undefined : search, page: pageIn(query) },
    signal: request.signal,
  });
  return { ...answer, search, formKey: crypto.randomUUID() };
}
