import { type LoaderFunctionArgs, redirect } from "react-router";
import { ApiError } from "#client/base/api/api.ts";
import { apiContext, pageContext } from "#client/base/page/context.ts";
import { safeReturnPath } from "#client/base/page/guard.ts";

/** Why the visitor was sent to the sign-in page; null where they opened it themselves. */
export type SignInData = { reason: string | null };

/** Redirects users who are signed in. Guests stay: they may have an account. */
export async function loadSignIn({ context, request }: LoaderFunctionArgs): Promise<SignInData> {
  const { viewer } = context.get(pageContext);
  const returnTo = new URL(request.url).searchParams.get("return_to");
  if (viewer !== null && !viewer.guest) throw redirect(safeReturnPath(returnTo));
  if (viewer !== null) return { reason: null };
  try {
    await context.get(apiContext).get("/api/v1/users/me", { signal: request.signal });
    return { reason: null };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    // That a sign-in has ended is always shown. That one is needed is shown only after a redirect.
    const wasSent = returnTo !== null || error.body?.code !== "unauthenticated";
    return { reason: wasSent ? error.message : null };
  }
}
