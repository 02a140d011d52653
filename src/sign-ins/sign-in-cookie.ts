import { jwt } from "@elysiajs/jwt";
import * as v from "valibot";
import { cookieName, readCookie, writeCookie } from "#src/http/cookies.ts";
import type { RequestContext } from "#src/http/request-context.ts";
import { deriveKey } from "#src/settings/derive-key.ts";
import type { Env } from "#src/settings/env.ts";
import { isSecure } from "./visitor-cookie.ts";

const NAME = "called_it";
/** Verifying costs more than the rest of a small answer, and a browser sends the same cookie again and again. */
const VERIFIED_MAX = 10_000;

type CookieEnv = Pick<Env, "publicUrl" | "secretKey">;

/** What the cookie says: which sign-in, and no more. The row behind it decides. */
const pointer = v.object({ sub: v.pipe(v.string(), v.uuid()) });

/** The id of the sign-in that the request's cookie points at, or null where there is none or where it is not of our making. */
export async function readSignInCookie(env: CookieEnv, request: Request): Promise<string | null> {
  const value = readCookie(request, cookieName(NAME, { secure: isSecure(env) }));
  if (value === null || value === "") return null;
  const signer = signerFor(env);
  const known = signer.verified.get(value);
  if (known !== undefined) return known;
  const read = v.safeParse(pointer, await signer.verify(value));
  if (!read.success) return null;
  remember(signer.verified, value, read.output.sub);
  return read.output.sub;
}

/** Makes room by forgetting what has been known for the longest. */
function remember(verified: Signer["verified"], value: string, signInId: string): void {
  const [oldest] = verified.keys();
  if (oldest !== undefined && verified.size >= VERIFIED_MAX) verified.delete(oldest);
  verified.set(value, signInId);
}

/**
 * Gives the browser a pointer to its sign-in, with the answer to this exchange.
 * @param maxAgeSeconds how long the browser keeps it; left out, until it is closed.
 */
export async function startSignInCookie(
  env: CookieEnv,
  exchange: RequestContext,
  { signInId, maxAgeSeconds }: { signInId: string; maxAgeSeconds: number | undefined },
): Promise<void> {
  const value = await signerFor(env).sign({ sub: signInId });
  const age = maxAgeSeconds === undefined ? {} : { maxAgeSeconds };
  exchange.cookies.push(writeCookie(NAME, value, { secure: isSecure(env), ...age }));
}

/** Takes the pointer away from the browser. */
export function endSignInCookie(env: CookieEnv, exchange: RequestContext): void {
  exchange.cookies.push(writeCookie(NAME, "", { secure: isSecure(env), maxAgeSeconds: 0 }));
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
  const { pointer: signer } = jwt({
    name: "pointer",
    secret: deriveKey(secretKey, "sign-in"),
    alg: "HS256",
  }).decorator;
  // Our cookies carry no time of their own: a signature that was good stays good, and the row is asked every time.
  return { ...signer, verified: new Map<string, string>() };
}
