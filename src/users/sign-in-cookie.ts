import { jwt } from "@elysiajs/jwt";
import * as v from "valibot";
import type { Env } from "#src/env.ts";
import { cookieName, readCookie, writeCookie } from "#src/http/cookies.ts";
import { deriveKey } from "#src/http/derive-key.ts";
import type { Exchange } from "#src/http/exchange.ts";
import { isSecure } from "./visitor-cookie.ts";

const NAME = "called_it";

type CookieEnv = Pick<Env, "publicUrl" | "secretKey">;

/** What the cookie says: which sign-in, and no more. The row behind it decides. */
const pointer = v.object({ sub: v.pipe(v.string(), v.uuid()) });

/** The id of the sign-in that the request's cookie points at, or null where there is none or where it is not of our making. */
export async function readSignInCookie(env: CookieEnv, request: Request): Promise<string | null> {
  const value = readCookie(request, cookieName(NAME, { secure: isSecure(env) }));
  if (value === null || value === "") return null;
  const read = v.safeParse(pointer, await signerFor(env).verify(value));
  return read.success ? read.output.sub : null;
}

/**
 * Gives the browser a pointer to its sign-in, with the answer to this exchange.
 * @param maxAgeSeconds how long the browser keeps it; left out, until it is closed.
 */
export async function startSignInCookie(
  env: CookieEnv,
  exchange: Exchange,
  { signInId, maxAgeSeconds }: { signInId: string; maxAgeSeconds: number | undefined },
): Promise<void> {
  const value = await signerFor(env).sign({ sub: signInId });
  const age = maxAgeSeconds === undefined ? {} : { maxAgeSeconds };
  exchange.cookies.push(writeCookie(NAME, value, { secure: isSecure(env), ...age }));
}

/** Takes the pointer away from the browser. */
export function endSignInCookie(env: CookieEnv, exchange: Exchange): void {
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
  return jwt({ name: "pointer", secret: deriveKey(secretKey, "sign-in"), alg: "HS256" }).decorator.pointer;
}
