import type { Deps } from "#src/base/deps.ts";
import { limitRate } from "#src/http/rate-limit.ts";
import { rates } from "#src/http/rates.ts";
import type { Authentication } from "./authenticate.ts";
import type { SignInBody } from "./schemas.ts";
import { type Browser, browserOf } from "./start-sign-in.ts";

/** What somebody sends to sign in, with where it comes from. Refuses what is tried too often: 429. */
export async function readSignIn(
  deps: Deps,
  { request, form, visit }: { request: Request; form: SignInBody; visit: Authentication },
): Promise<SignInBody & Browser> {
  await limitRate(deps, rates.signIn, { ...visit, account: form.email });
  return { ...form, ...browserOf(visit, request) };
}
