import { type LoaderFunctionArgs, redirect } from "react-router";
import { type Api, ApiError } from "#client/base/api/api.ts";
import { apiContext, pageContext } from "#client/base/page/context.ts";
import { safeReturnPath } from "#client/base/page/guard.ts";
import type { FrontDoor } from "#src/show/front-door/schemas.ts";

export type SignInData = {
  /** Why the visitor was sent to the sign-in page; null where they opened it themselves. */
  reason: string | null;
  /** What a signed-out visitor sees of the game; null for a guest, who knows it. */
  door: FrontDoor | null;
};

/** Redirects users who are signed in. Guests stay: they may have an account. */
export async function loadSignIn({ context, request }: LoaderFunctionArgs): Promise<SignInData> {
  const { viewer } = context.get(pageContext);
  const returnTo = new URL(request.url).searchParams.get("return_to");
  if (viewer !== null && !viewer.guest) throw redirect(safeReturnPath(returnTo));
  if (viewer !== null) return { reason: null, door: null };
  const api = context.get(apiContext);
  const [reason, { frontDoor: door }] = await Promise.all([
    findReason(api, { returnTo, signal: request.signal }),
    api.get("/api/v1/front_door", { signal: request.signal }),
  ]);
  return { reason, door };
}

type Visit = { returnTo: string | null; signal: AbortSignal };

async function findReason(api: Api, { returnTo, signal }: Visit): Promise<string | null> {
  try {
    await api.get("/api/v1/users/me", { signal });
    return null;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    // That a sign-in has ended is always shown. That one is needed is shown only after a redirect.
    const wasSent = returnTo !== null || error.body?.code !== "unauthenticated";
    return wasSent ? error.message : null;
  }
}
