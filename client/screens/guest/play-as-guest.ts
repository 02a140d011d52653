import type { ActionFunctionArgs } from "react-router";
import { apiContext } from "#client/base/page/context.ts";
import { safeReturnPath } from "#client/base/page/guard.ts";
import { becomeGuest } from "#client/sign-ins/become-guest.ts";

/** Signs the visitor in as a guest by one tap, and opens the session of `return_to`, else the live one. */
export function playAsGuest({ context, request }: ActionFunctionArgs): Promise<Response> {
  const returnPath = safeReturnPath(new URL(request.url).searchParams.get("return_to"));
  return becomeGuest(context.get(apiContext), { returnPath });
}
