import type * as Library from "openid-client";
import * as v from "valibot";
import type { Deps } from "#src/base/deps.ts";
import { Refusal } from "#src/base/refusal.ts";
import { requestOutside } from "#src/http/outside/request-outside.ts";
import type { Env } from "#src/settings/env.ts";
import type { OidcSettings } from "#src/settings/read-oidc.ts";
import { OIDC_CALLBACK_PATH, type OidcRefusal } from "./contract.ts";

// Decision: nothing of the provider is kept. Each sign-in reads its document and its keys again, so a new key counts at once, and a
// provider that is away is noticed here, before a browser is sent to it. What it sends is bounded as all answers of others are.

const ANSWERS_WITHIN_MS = 5_000;
const ANSWER_BYTES_MAX = 500_000;
const CLOCKS_APART_S = 30;
/** How old the sign-in at the provider may be that confirms a change of the account. */
const CONFIRMED_WITHIN_S = 300;
/** For so long the button says that the provider did not answer. */
const AWAY_FOR_MS = 60_000;

/** What a browser that was sent to the provider has to bring back. */
export type Asked = { state: string; nonce: string; verifier: string; confirms: boolean };

export type Person = {
  issuer: string;
  subject: string;
  /** In lower case; null where the provider says none. */
  email: string | null;
  /** The provider has checked that the address is the person's, or the settings say that all of its addresses are. */
  ownsEmail: boolean;
  /** What the person may be called, the best first. */
  names: string[];
  /** The values of the claim that gives roles; null where there is no such claim. */
  values: string[] | null;
  idToken: string;
};

let loading: Promise<typeof Library> | undefined;

/** Most installations never need the library. */
function loadLibrary(): Promise<typeof Library> {
  loading ??= import("openid-client");
  return loading;
}

/** Reads the provider's document. @throws what the library or the network says. */
export async function discover({ issuer, clientId, clientSecret }: OidcSettings) {
  const library = await loadLibrary();
  const [post, basic] = [library.ClientSecretPost(clientSecret), library.ClientSecretBasic(clientSecret)];
  const config = await library.discovery(
    new URL(issuer),
    clientId,
    { client_secret: clientSecret, [library.clockTolerance]: CLOCKS_APART_S },
    (server, ...request) =>
      (server.token_endpoint_auth_methods_supported?.includes("client_secret_post") === true ? post : basic)(
        server,
        ...request,
      ),
    {
      [library.customFetch]: fetchOutside,
      execute: [
        // The tokens come straight from the provider; their signatures are checked all the same.
        library.enableNonRepudiationChecks,
        // The settings allow it for a provider on this machine alone.
        ...(issuer.startsWith("http:") ? [library.allowInsecureRequests] : []),
      ],
    },
  );
  return { library, config };
}

async function fetchOutside(
  url: string,
  { method, headers, body }: Library.CustomFetchOptions,
): Promise<Response> {
  const sent = body instanceof URLSearchParams || typeof body === "string" ? { body: body.toString() } : {};
  const answer = await requestOutside(
    { url, method, headers, ...sent },
    { publicOnly: false, timeoutMs: ANSWERS_WITHIN_MS, wholeBytesMax: ANSWER_BYTES_MAX },
  );
  const type = answer.headers["content-type"] ?? "";
  return new Response(answer.body.length === 0 ? null : new Uint8Array(answer.body), {
    status: answer.status,
    headers: { "content-type": type },
  });
}

const awayUntilMs = new WeakMap<OidcSettings, number>();

/** True for a while after the provider did not answer this process. */
export function wasAway(oidc: OidcSettings): boolean {
  return (awayUntilMs.get(oidc) ?? 0) > performance.now();
}

/** The same as discover. Refuses a provider that does not answer as one. */
export async function reachProvider({ log }: Pick<Deps, "log">, oidc: OidcSettings) {
  try {
    const reached = await discover(oidc);
    awayUntilMs.delete(oidc);
    return reached;
  } catch (error) {
    awayUntilMs.set(oidc, performance.now() + AWAY_FOR_MS);
    log.warn({ err: error }, "the provider of OIDC_ISSUER cannot be used");
    throw refused("away");
  }
}

export const callbackUrl = ({ publicUrl }: Pick<Env, "publicUrl">) => `${publicUrl}${OIDC_CALLBACK_PATH}`;

export type Reached = Awaited<ReturnType<typeof discover>>;

export async function addressFor(
  { library, config }: Reached,
  { env, oidc, asked }: { env: Pick<Env, "publicUrl">; oidc: OidcSettings; asked: Asked },
): Promise<string> {
  const url = library.buildAuthorizationUrl(config, {
    redirect_uri: callbackUrl(env),
    scope: oidc.scopes,
    state: asked.state,
    nonce: asked.nonce,
    code_challenge: await library.calculatePKCECodeChallenge(asked.verifier),
    code_challenge_method: "S256",
    ...(asked.confirms ? { prompt: "login", max_age: String(CONFIRMED_WITHIN_S) } : {}),
  });
  return url.href;
}

export async function newAsked(confirms: boolean): Promise<Asked> {
  const { randomState, randomNonce, randomPKCECodeVerifier } = await loadLibrary();
  return { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier(), confirms };
}

/**
 * Exchanges the code with which a browser has come back, and checks what the provider says: issuer, audience, nonce, times and
 * signature. Refuses what is wrong. What the log gets names the claim and no value.
 */
export async function askWhoSignedIn(
  deps: Pick<Deps, "env" | "log">,
  oidc: OidcSettings,
  { search, asked }: { search: string; asked: Asked },
): Promise<Person> {
  const reached = await reachProvider(deps, oidc);
  const { library, config } = reached;
  try {
    const tokens = await library.authorizationCodeGrant(config, new URL(callbackUrl(deps.env) + search), {
      expectedState: asked.state,
      expectedNonce: asked.nonce,
      pkceCodeVerifier: asked.verifier,
      idTokenExpected: true,
      ...(asked.confirms ? { maxAge: CONFIRMED_WITHIN_S } : {}),
    });
    const claims = tokens.claims();
    // One tenant of a provider that has many.
    if (claims === undefined || claims.iss.replace(/\/$/, "") !== oidc.issuer.replace(/\/$/, ""))
      throw refused("refused");
    const more = needsMore(claims, oidc, config.serverMetadata())
      ? await library.fetchUserInfo(config, tokens.access_token, claims.sub)
      : {};
    return personOf(oidc, { ...more, ...claims }, tokens.id_token ?? "");
  } catch (error) {
    const { code, claim } = reasonOf(error);
    deps.log.warn({ code, claim }, "a sign-in at the provider was refused");
    throw error instanceof Refusal ? error : refused("refused");
  }
}

/** What is wrong, without a value: the library's errors carry the claims of the person. */
function reasonOf(error: unknown): { code: string; claim: string | undefined } {
  const read = v.safeParse(
    v.object({ code: v.optional(v.string()), error: v.optional(v.string()), cause: v.unknown() }),
    error,
  );
  const { code = "", error: said = "" } = read.success ? read.output : {};
  const cause = read.success && read.output.cause instanceof Error ? read.output.cause.cause : null;
  const compared = v.safeParse(v.object({ claim: v.string() }), cause);
  return { code: `${code} ${said}`.trim(), claim: compared.success ? compared.output.claim : undefined };
}

type Claims = Record<string, unknown>;

/** Some providers say at their userinfo endpoint alone who it is. */
function needsMore(
  claims: Claims,
  { roles }: OidcSettings,
  { userinfo_endpoint: endpoint }: Library.ServerMetadata,
): boolean {
  const lacks =
    claims["email"] === undefined || (roles !== null && claimOf(claims, roles.claim) === undefined);
  return lacks && endpoint !== undefined;
}

/** A claim by its name, or by its path: `realm_access.roles`. */
function claimOf(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let found: unknown = claims;
  for (const part of name.split("."))
    found = typeof found === "object" && found !== null ? Reflect.get(found, part) : undefined;
  return found;
}

const text = v.pipe(v.string(), v.trim(), v.nonEmpty());
const texts = v.array(v.string());

function personOf(oidc: OidcSettings, claims: Claims & Library.IDToken, idToken: string): Person {
  const said = (name: string) => {
    const read = v.safeParse(text, claims[name]);
    return read.success ? [read.output] : [];
  };
  const [email = null] = said("email");
  const isVerified = claims["email_verified"] === true || claims["email_verified"] === "true";
  const value = oidc.roles === null ? [] : claimOf(claims, oidc.roles.claim);
  const values = v.safeParse(texts, typeof value === "string" ? [value] : value);
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email: email?.toLowerCase() ?? null,
    ownsEmail: isVerified || oidc.trustsEmails,
    names: ["preferred_username", "name", "given_name"].flatMap(said),
    values: values.success ? values.output : null,
    idToken,
  };
}

/** The address at which a browser that has signed out here signs out at the provider; null where that has none. */
export async function signOutAddress(
  { env, log }: Pick<Deps, "env" | "log">,
  oidc: OidcSettings,
  idToken: string,
): Promise<string | null> {
  const { library, config } = await reachProvider({ log }, oidc);
  if (config.serverMetadata().end_session_endpoint === undefined) return null;
  const after = { post_logout_redirect_uri: `${env.publicUrl}/users/sign_in`, id_token_hint: idToken };
  return library.buildEndSessionUrl(config, after).href;
}

/** The sign-in page has a sentence for each. */
export const refused = (code: OidcRefusal) => new Refusal(403, code, `The sign-in was refused: ${code}.`);
