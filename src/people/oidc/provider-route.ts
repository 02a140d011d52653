import * as v from "valibot";
import type { Deps } from "#src/base/deps.ts";
import { refuseAway, Refusal } from "#src/base/refusal.ts";
import { limitRate } from "#src/http/rate-limit.ts";
import { rates } from "#src/http/rates.ts";
import type { RequestContext } from "#src/http/request-context.ts";
import { authenticate, type Authentication } from "#src/people/sign-ins/authenticate.ts";
import { safeReturnPath } from "#src/people/sign-ins/contract.ts";
import { leavingKey, signOut } from "#src/people/sign-ins/end-sign-ins.ts";
import type { Route } from "#src/people/sign-ins/handle-request.ts";
import { attachSignIn, browserOf } from "#src/people/sign-ins/start-sign-in.ts";
import type { OidcSettings } from "#src/settings/read-oidc.ts";
import {
  addressFor,
  askWhoSignedIn,
  newAsked,
  reachProvider,
  refused,
  signOutAddress,
} from "./ask-provider.ts";
import {
  OIDC_CALLBACK_PATH,
  OIDC_PATH,
  OIDC_SIGN_OUT_PATH,
  type OidcRefusal,
  oidcRefusals,
} from "./contract.ts";
import { proveOwner, signInAtProvider } from "./sign-in-at-provider.ts";

// Decision: browsers alone go to these addresses, by a link, and each answer leads on. So they are neither pages nor endpoints, and without
// the settings they do not exist. A refusal leads to the sign-in page, which says it. What a browser has to bring back is kept in Redis,
// deleted as it is read, and worth nothing to another browser: so an address with a code works once, and only where it was begun.

const KEPT_S = 600;
const ACCOUNT_PATH = "/profile/account";
const SIGN_IN_PATH = "/users/sign_in";

type Visit = { deps: Deps; oidc: OidcSettings; context: RequestContext; authentication: Authentication };

const answers: Readonly<Record<string, (visit: Visit) => Promise<string>>> = {
  [OIDC_PATH]: begin,
  [OIDC_CALLBACK_PATH]: finish,
  [OIDC_SIGN_OUT_PATH]: leave,
};

/** What answers a browser that signs in or out at the provider; null: the request is for something else. */
export function providerRoute(deps: Deps, context: RequestContext): Route | null {
  const { oidc } = deps.env;
  const answer = answers[context.path];
  if (oidc === null || answer === undefined || context.request.method !== "GET") return null;
  return {
    pattern: context.path,
    answer: async () => {
      const authentication = await authenticate(deps, context);
      const location = await answer({ deps, oidc, context, authentication });
      return new Response(null, { status: 302, headers: { location } });
    },
  };
}

const keptForm = v.object({
  askedBy: v.string(),
  nonce: v.string(),
  verifier: v.string(),
  returnTo: v.string(),
  leavesGuest: v.boolean(),
  confirms: v.boolean(),
});
const keptText = v.pipe(v.string(), v.parseJson(), keptForm);
const keyOf = (state: string) => `oidc:${state}`;

/**
 * Sends the browser to the provider. `return_to` is where it comes back to. `guest=leave`: the guest stays behind. `confirm=1`: the user is to
 * sign in there once more, to confirm a change of the account.
 */
async function begin({ deps, oidc, context, authentication }: Visit): Promise<string> {
  const { searchParams } = new URL(context.request.url);
  const returnTo = safeReturnPath(searchParams.get("return_to"));
  const confirms = searchParams.get("confirm") === "1";
  return orRefusal({ returnTo, confirms }, async () => {
    await limitRate(deps, rates.oidcSignIn, { ...authentication, viewer: null });
    const asked = await newAsked(confirms);
    const address = await addressFor(await reachProvider(deps, oidc), { env: deps.env, oidc, asked });
    const kept: v.InferOutput<typeof keptForm> = {
      askedBy: authentication.csrfSecret,
      nonce: asked.nonce,
      verifier: asked.verifier,
      returnTo,
      leavesGuest: searchParams.get("guest") === "leave",
      confirms,
    };
    await deps.redis.set(keyOf(asked.state), JSON.stringify(kept), "EX", KEPT_S).catch(refuseAway);
    return address;
  });
}

/** The provider has sent the browser back: signs its user in, or records that the user was there once more. */
async function finish(visit: Visit): Promise<string> {
  const { deps, oidc, context, authentication } = visit;
  const { search, searchParams } = new URL(context.request.url);
  const state = searchParams.get("state") ?? "";
  const kept = v.safeParse(keptText, await deps.redis.getdel(keyOf(state)).catch(refuseAway));
  const known = kept.success && kept.output.askedBy === authentication.csrfSecret ? kept.output : null;
  return orRefusal(known ?? { returnTo: "/sessions", confirms: false }, async () => {
    await limitRate(deps, rates.oidcSignIn, { ...authentication, viewer: null });
    if (known === null) throw refused("begin_again");
    const person = await askWhoSignedIn(deps, oidc, { search, asked: { state, ...known } });
    if (known.confirms) {
      const { viewer, signInId } = authentication;
      if (viewer === null || signInId === null) throw refused("begin_again");
      await proveOwner(deps, person, { userId: viewer.id, signInId });
      return known.returnTo;
    }
    const { viewer } = authentication;
    const guest = viewer?.guest === true && !known.leavesGuest ? viewer : null;
    const browser = browserOf(deps.env, authentication, context.request);
    const signedIn = await signInAtProvider(deps, oidc, { person, browser, guest });
    await signOut(deps, authentication.signInId);
    await attachSignIn(deps.env, context, signedIn);
    return known.returnTo;
  });
}

/** The browser has signed out here: sends it to sign out at the provider too, where that is possible. */
async function leave({ deps, oidc, authentication }: Visit): Promise<string> {
  const idToken = await deps.redis.getdel(leavingKey(authentication.csrfSecret)).catch(() => null);
  if (idToken === null) return SIGN_IN_PATH;
  return (await signOutAddress(deps, oidc, idToken).catch(() => null)) ?? SIGN_IN_PATH;
}

/** Leads a refused browser to the page where it began, which says why. */
async function orRefusal(
  { returnTo, confirms }: { returnTo: string; confirms: boolean },
  work: () => Promise<string>,
): Promise<string> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === "unavailable") throw error;
    const query = new URLSearchParams({
      oidc: isKnown(error.code) ? error.code : "failed",
      ...(returnTo === "/sessions" || confirms ? {} : { return_to: returnTo }),
    });
    return `${confirms ? ACCOUNT_PATH : SIGN_IN_PATH}?${query.toString()}`;
  }
}

const isKnown = (code: string): code is OidcRefusal => oidcRefusals.some((known) => known === code);
