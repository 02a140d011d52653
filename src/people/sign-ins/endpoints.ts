import type { Deps } from "#src/base/deps.ts";
import { limitRate } from "#src/http/rate-limit.ts";
import { rates } from "#src/http/rates.ts";
import type { RequestContext } from "#src/http/request-context.ts";
import { authenticate, type Authentication } from "./authenticate.ts";
import { leavingKey, signOut } from "./end-sign-ins.ts";
import { guestToMerge } from "./merge-guest.ts";
import { signInBody, viewerAnswer, type SignInBody } from "./schemas.ts";
import { endpoint } from "./serve-endpoints.ts";
import { signIn } from "./sign-in.ts";
import { attachSignIn, type Browser, browserOf, detachSignIn } from "./start-sign-in.ts";
import { presentViewer } from "./viewer.ts";

/** What a sign-in is refused for that is to merge a guest. */
export const mergeRefusals = {
  no_guest: { status: 409, when: "A guest is to be merged, and none plays." },
  open_calls: { status: 409, when: "The guest to be merged has open calls." },
  excluded: { status: 409, when: "A host has taken the guest to be merged out of a leaderboard." },
  two_teams: { status: 409, when: "The guest to be merged has results in another team than the account." },
  too_many_guests: { status: 409, when: "The account has taken in as many guests as its user may ask for." },
} as const;

export const signInEndpoints = {
  signIn: endpoint({
    route: "POST /users/sign_in",
    byPassword: true,
    summary: "Signs in",
    notes:
      "The answer sets the sign-in cookie. Older anti-forgery tokens become invalid; the answer's header has a new one. With `merge_guest` the guest who plays at this browser becomes a part of the account: calls, results, ranks, and what it has won.",
    who: "no-account",
    limited: true,
    body: { user: signInBody },
    answer: viewerAnswer,
    refusals: {
      already_signed_in: { status: 409, when: "The browser is signed in already." },
      ...mergeRefusals,
      invalid_credentials: { status: 401, when: "The email or the password is not right." },
      last_attempt: { status: 401, when: "The same, and one more wrong password locks the account." },
      locked: { status: 403, when: "The account is locked after too many wrong passwords." },
      inactive: { status: 403, when: "The account was deactivated." },
      unconfirmed: { status: 403, when: "The email address was not confirmed within 24 hours." },
    },
    handle: async (deps, { request, context, body, authentication }) => {
      const form = await readSignIn(deps, { request, form: body.user, authentication });
      const signedIn = await signIn(deps, form);
      await signOut(deps, authentication.signInId);
      return { user: presentViewer(await attachSignIn(deps.env, context, signedIn)) };
    },
  }),
  signOut: endpoint({
    route: "DELETE /users/sign_out",
    summary: "Signs out",
    notes: "Answers the same if nobody is signed in.",
    who: "anyone",
    handle: async (deps, { context, authentication }) => {
      const idToken = await signOut(deps, authentication.signInId);
      detachSignIn(deps.env, context);
      if (idToken !== null) await rememberLeaving(deps, context, idToken);
    },
  }),
};

const LEAVING_S = 60;

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
