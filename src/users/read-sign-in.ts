import type { Deps } from "#src/deps.ts";
import { limitRate } from "#src/http/rate-limit.ts";
import { rates } from "#src/http/rates.ts";
import { readBody } from "#src/http/read-body.ts";
import { type SignInBody, signInBody } from "./contract.ts";
import { requireNoAccount } from "./require-viewer.ts";
import { type Browser, browserOf } from "./start-sign-in.ts";
import type { Visit } from "./visit.ts";

/**
 * What somebody sends to sign in, with where it comes from. Refuses whoever is signed in with an account (409), what does not fit (400,
 * 422), and what is tried too often (429).
 */
export async function readSignIn(
  deps: Deps,
  { request, body, visit }: { request: Request; body: unknown; visit: Visit },
): Promise<SignInBody & Browser> {
  requireNoAccount(visit);
  const form = readBody(body, "user", signInBody);
  await limitRate(deps, rates.signIn, { ...visit, account: form.email });
  return { ...form, ...browserOf(visit, request) };
}
