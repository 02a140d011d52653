import type { Deps } from "#src/base/deps.ts";
import { limitRate } from "#src/http/rate-limit.ts";
import { rates } from "#src/http/rates.ts";
import type { RequestContext } from "#src/http/request-context.ts";
import { authenticate, type Authentication } from "./authenticate.ts";
import { leavingKey, signOut } from "./end-sign-ins.ts";
import { signInEndpoints } from "./endpoints.ts";
import { guestToMerge } from "./merge-guest.ts";
import type { SignInBody } from "./schemas.ts";
import { serveEndpoints } from "./serve-endpoints.ts";
import { signIn } from "./sign-in.ts";
import { attachSignIn, type Browser, browserOf, detachSignIn } from "./start-sign-in.ts";
import { presentViewer } from "./viewer.ts";

const LEAVING_S = 60;

export function signInRoutes(deps: Deps) {
  return serveEndpoints(signInEndpoints, {
    signIn: async ({ request, context, body, authentication }) => {
      const form = await readSignIn(deps, { request, form: body.user, authentication });
      const signedIn = await signIn(deps, form);
      await signOut(deps, authentication.signInId);
      return { user: presentViewer(await attachSignIn(deps.env, context, signedIn)) };
    },
    signOut: async ({ context, authentication }) => {
      const idToken = await signOut(deps, authentication.signInId);
      detachSignIn(deps.env, context);
      if (idToken !== null) await rememberLeaving(deps, context, idToken);
    },
  });
}

/** The sign-in form and the browser that sent it. Refuses too many attempts: 429. */
async function readSignIn(
  deps: Deps,
  { request, form, authentication }: { request: Request; form: SignInBody; authentication: Authentication },
): Promise<SignInBody & Browser & { guestId: number | null }> {
  await limitRate(deps, rates.signInBurst, { ...authentication, viewer: null });
  await limitRate(deps, rates.signIn, { ...authentication, account: form.email });
  const guestId = guestToMerge(authentication.viewer, form);
  return { ...form, ...browserOf(deps.env, authentication, request), guestId };
}

/** For a minute, this browser may sign out at the provider too, of the sign-in that has ended. */
async function rememberLeaving(deps: Deps, context: RequestContext, idToken: string): Promise<void> {
  const { csrfSecret } = await authenticate(deps, context);
  // Without Redis it stays signed in there.
  await deps.redis.set(leavingKey(csrfSecret), idToken, "EX", LEAVING_S).catch(() => null);
}
