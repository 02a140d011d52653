import { type LoaderFunctionArgs, redirect } from "react-router";
import { ApiError } from "../api.ts";
import { apiContext, pageContext } from "../context.ts";
import { safeReturnPath } from "../guard.ts";

/** Why somebody is on the sign-in page who wanted to be elsewhere; null for whoever came by themselves. */
export type SignInData = { reason: string | null };

/** Whoever is already signed in is taken on; a guest may have an account. */
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
    // A sign-in that is over says so in any case; that one is needed, only to whoever was sent here.
    const wasSent = returnTo !== null || error.body?.code !== "unauthenticated";
    return { reason: wasSent ? error.message : null };
  }
}
