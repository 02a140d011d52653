import * as v from "valibot";
import { explainError } from "#src/base/describe-error.ts";
import { requestOutside } from "#src/http/outside/request-outside.ts";
import type { Env } from "#src/settings/env.ts";
import type { OidcSettings } from "#src/settings/read-oidc.ts";
import { addressFor, callbackUrl, discover, newAsked, type Reached } from "./ask-provider.ts";

type Wrong = { said: string; cure: string };

/** Asks the provider with the settings what it takes of them, without a person. @returns the first setting that is wrong; null: none is. */
export async function tryProvider(env: Pick<Env, "publicUrl">, oidc: OidcSettings): Promise<Wrong | null> {
  let reached: Reached;
  try {
    reached = await discover(oidc);
  } catch (error) {
    const [said = ""] = explainError(error).split("\n");
    return {
      said: `${oidc.issuer} is no provider that this machine can use: ${said}`,
      cure: "Correct OIDC_ISSUER: it is what the provider's own document, ISSUER/.well-known/openid-configuration, says as `issuer`. Or see why it does not answer.",
    };
  }
  return (
    findMissing(reached, oidc) ?? (await tryClient(reached, env)) ?? (await tryRedirect(reached, env, oidc))
  );
}

/** What the provider's document says that it does not have. */
function findMissing({ config }: Reached, { scopes, roles }: OidcSettings): Wrong | null {
  const { scopes_supported: itsScopes, claims_supported: itsClaims } = config.serverMetadata();
  const scope = scopes.split(/\s+/).find((each) => itsScopes?.includes(each) === false);
  if (scope !== undefined)
    return {
      said: `The provider has no scope ${scope}: it has ${itsScopes?.join(", ")}.`,
      cure: "Correct OIDC_SCOPES.",
    };
  const claim = roles?.claim;
  const [top = ""] = claim?.split(".") ?? [];
  if (claim === undefined || itsClaims === undefined || [claim, top].some((name) => itsClaims.includes(name)))
    return null;
  return {
    said: `The provider's document names no claim ${claim}: it names ${itsClaims.join(", ")}.`,
    cure: "Correct OIDC_ROLES_CLAIM, or let the provider send the claim to this site. Some send claims that their document does not name: then all is well.",
  };
}

const errorForm = v.object({ error: v.string() });

/** A code that nobody was given is refused for itself only where the id and the secret are right. */
async function tryClient({ library, config }: Reached, env: Pick<Env, "publicUrl">): Promise<Wrong | null> {
  const { issuer } = config.serverMetadata();
  const { state, verifier } = await newAsked(false);
  const query = new URLSearchParams({ code: "tried-by-the-doctor", state, iss: issuer });
  const error: unknown = await library
    .authorizationCodeGrant(config, new URL(`${callbackUrl(env)}?${query.toString()}`), {
      expectedState: state,
      pkceCodeVerifier: verifier,
    })
    .catch((refusal: unknown) => refusal);
  if (!v.is(errorForm, error) || !["invalid_client", "unauthorized_client"].includes(error.error))
    return null;
  return {
    said: `The provider does not know this site: ${error.error}.`,
    cure: "Correct OIDC_CLIENT_ID and OIDC_CLIENT_SECRET; a secret may have ended.",
  };
}

/** Nobody is signed in, so a provider that knows the address sends the browser back to it at once. */
async function tryRedirect(
  reached: Reached,
  env: Pick<Env, "publicUrl">,
  oidc: OidcSettings,
): Promise<Wrong | null> {
  const url = `${await addressFor(reached, { env, oidc, asked: await newAsked(false) })}&prompt=none`;
  const { status } = await requestOutside({ url, method: "GET", headers: {} }, { publicOnly: false });
  if (status < 400) return null;
  return {
    said: `The provider answers ${status} to a browser that comes from here.`,
    cure: `Register the redirect address ${callbackUrl(env)} there.`,
  };
}
