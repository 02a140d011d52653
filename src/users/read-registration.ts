import type { Deps } from "#src/deps.ts";
import { limitRate } from "#src/http/rate-limit.ts";
import { rates } from "#src/http/rates.ts";
import { readBody } from "#src/http/read-body.ts";
import { type RegistrationBody, registrationBody } from "./contract.ts";
import { requireNoAccount } from "./require-viewer.ts";
import { type Browser, browserOf } from "./start-sign-in.ts";
import type { Viewer } from "./viewer.ts";
import type { Visit } from "./visit.ts";

/** What somebody sends to have an account, and who that is: a guest, or nobody yet. */
export type Registration = { viewer: Viewer | null; browser: Browser; form: RegistrationBody };

/** Refuses whoever has an account (409), what does not fit (400, 422), and what is tried too often (429). */
export async function readRegistration(
  deps: Deps,
  { request, body, visit }: { request: Request; body: unknown; visit: Visit },
): Promise<Registration> {
  requireNoAccount(visit);
  const form = readBody(body, "user", registrationBody);
  await limitRate(deps, rates.register, visit);
  return { viewer: visit.viewer, browser: browserOf(visit, request), form };
}
