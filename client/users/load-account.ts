import type { LoaderFunctionArgs } from "react-router";
import type { AccountAnswer } from "#src/users/schemas.ts";
import { apiContext } from "../context.ts";

/** The viewer's own account: its address and its sign-ins. */
export function loadAccount({ context, request }: LoaderFunctionArgs): Promise<AccountAnswer> {
  return context.get(apiContext).get("/api/v1/users/me/account", { signal: request.signal });
}
