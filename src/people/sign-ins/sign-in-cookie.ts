import { jwt } from "@elysiajs/jwt";
import { Elysia } from "elysia";
import * as v from "valibot";
import { BoundedMap } from "#src/base/bounded-map.ts";
import { readOwnCookie, writeCookie } from "#src/http/cookies.ts";
import type { RequestContext } from "#src/http/request-context.ts";
import { deriveKey } from "#src/settings/derive-key.ts";
import type { Env } from "#src/settings/env.ts";

const NAME = "called_it";
/** The size of the cache of verified cookies. Verifying costs more than the rest of a small answer. */
const VERIFIED_MAX = 10_000;

type CookieEnv = Pick<Env, "publicUrl" | "secretKey">;

/** The content of the cookie: only the id of the sign-in. Whether that is valid is decided by its row. */
const pointer = v.object({ sub: v.pipe(v.string(), v.uuid()) });

/** The id of the sign-in in the request's cookie; null without a cookie or if its signature is invalid. */
export async function readSignInCookie(env: CookieEnv, request: Request): Promise<string | null> {
  const value = readOwnCookie(env, request, NAME);
  if (value === null || value === "") return null;
  const signer = signerFor(env);
  const known = signer.verified.get(value);
  if (known !== undefined) return known;
  const read = v.safeParse(pointer, await signer.verify(value));
  if (!read.success) return null;
  signer.verified.set(value, read.output.sub);
  return read.output.sub;
}

/**
 * Sets the sign-in cookie with the answer to this request.
 * @param maxAgeSeconds how long the browser keeps the cookie; undefined: until it is closed.
 */
export async function startSignInCookie(
  env: CookieEnv,
  context: RequestContext,
  { signInId, maxAgeSeconds }: { signInId: string; maxAgeSeconds: number | undefined },
): Promise<void> {
  const value = await signerFor(env).sign({ sub: signInId });
  context.cookies.push(writeCookie(env, NAME, value, maxAgeSeconds));
}

export function endSignInCookie(env: CookieEnv, context: RequestContext): void {
  context.cookies.push(writeCookie(env, NAME, "", 0));
}

/**
 * Elysia's plugin that signs and verifies what is in these cookies: the context of every route has it as `signInToken`. A request is
 * authenticated before it is routed, so this file takes the same one from the plugin.
 */
export function signInTokens(env: CookieEnv) {
  return signerFor(env).plugin;
}

type Signer = ReturnType<typeof createSigner>;
const signers = new Map<string, Signer>();

function signerFor({ secretKey }: CookieEnv): Signer {
  const known = signers.get(secretKey);
  if (known !== undefined) return known;
  const signer = createSigner(secretKey);
  signers.set(secretKey, signer);
  return signer;
}

function createSigner(secretKey: string) {
  const plugin = new Elysia({ name: "sign-in-tokens" }).use(
    jwt({ name: "signInToken", secret: deriveKey(secretKey, "sign-in"), alg: "HS256" }),
  );
  // The signature of our cookies never expires, so a verified value can be cached. The row is checked on every request.
  return { ...plugin.decorator.signInToken, plugin, verified: new BoundedMap<string, string>(VERIFIED_MAX) };
}
