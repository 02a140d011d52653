import type { Deps } from "#src/base/deps.ts";
import { limitRate } from "#src/http/rate-limit.ts";
import { rates } from "#src/http/rates.ts";
import type { Authentication } from "#src/people/sign-ins/authenticate.ts";
import { type Browser, browserOf } from "#src/people/sign-ins/start-sign-in.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import type { RegistrationBody } from "./schemas.ts";

/** A registration: the form, the browser that sent it, and the guest it belongs to, if there is one. */
export type Registration = { viewer: Viewer | null; browser: Browser; form: RegistrationBody };

/** Reads a registration from a request. Refuses too many attempts: 429. */
export async function readRegistration(
  deps: Deps,
  {
    request,
    form,
    authentication,
  }: { request: Request; form: RegistrationBody; authentication: Authentication },
): Promise<Registration> {
  await limitRate(deps, rates.register, authentication);
  await limitRate(deps, rates.registerEmail, { ...authentication, account: form.email });
  return { viewer: authentication.viewer, browser: browserOf(deps.env, authentication, request), form };
}
