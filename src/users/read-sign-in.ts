import { readBody } from "#src/http/read-body.ts";
import { type SignInBody, signInBody } from "./contract.ts";
import { type Browser, browserOf } from "./start-sign-in.ts";
import type { Visit } from "./visit.ts";

/** What somebody sends to sign in, with where it comes from. Refuses what does not fit: 400, 422. */
export function readSignIn(visit: Visit, request: Request, body: unknown): SignInBody & Browser {
  return { ...readBody(body, "user", signInBody), ...browserOf(visit, request) };
}
