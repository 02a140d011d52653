import type { LoaderFunctionArgs } from "react-router";
import { apiContext } from "#client/base/page/context.ts";
import type { AccountAnswer } from "#src/people/users/schemas.ts";

/** The viewer's own account: its address and its sign-ins. */
export function loadAccount({ context, request }: LoaderFunctionArgs): Promise<AccountAnswer> {
  return context.get(apiContext).get("/api/v1/users/me/account", { signal: request.signal });
}
