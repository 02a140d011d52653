import type { Deps } from "#src/base/deps.ts";
import { limitRate } from "#src/http/rate-limit.ts";
import { rates } from "#src/http/rates.ts";
import type { Authentication } from "#src/sign-ins/authenticate.ts";
import { type Browser, browserOf } from "#src/sign-ins/start-sign-in.ts";
import type { Viewer } from "#src/sign-ins/viewer.ts";
import type { RegistrationBody } from "./schemas.ts";

/** What somebody sends to have an account, and who that is: a guest, or nobody yet. */
export type Registration = { viewer: Viewer | null; browser: Browser; form: RegistrationBody };

/** Whose account it becomes, and from where. Refuses what is tried too often: 429. */
export async function readRegistration(
  deps: Deps,
  { request, form, visit }: { request: Request; form: RegistrationBody; visit: Authentication },
): Promise<Registration> {
  await limitRate(deps, rates.register, visit);
  return { viewer: visit.viewer, browser: browserOf(visit, request), form };
}
