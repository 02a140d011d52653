import { Elysia } from "elysia";
import type { Deps } from "#src/base/deps.ts";
import { attachSignIn } from "#src/people/sign-ins/attach-sign-in.ts";
import { serveEndpoints } from "#src/people/sign-ins/serve-endpoints.ts";
import { browserOf } from "#src/people/sign-ins/start-sign-in.ts";
import { presentViewer } from "#src/people/sign-ins/viewer.ts";
import { accountRoutes } from "./account-routes.ts";
import { createGuest } from "./create-guest.ts";
import { registrationEndpoints } from "./endpoints.ts";
import { readRegistration } from "./read-registration.ts";
import { recoveryRoutes } from "./recovery-routes.ts";
import { registerAccount } from "./register-account.ts";

/** The routes of users: guests, registration, recovery, and the user's own account. */
export function usersRoutes(deps: Deps) {
  return new Elysia().use(registrationRoutes(deps)).use(recoveryRoutes(deps)).use(accountRoutes(deps));
}

function registrationRoutes(deps: Deps) {
  return serveEndpoints(deps, registrationEndpoints, {
    playAsGuest: async ({ request, authentication, body, keyed }) => {
      const browser = browserOf(deps.env, authentication, request);
      const byVisitor = { keyed, visitorSecret: authentication.csrfSecret };
      const guest = await createGuest(deps, browser, body.user, byVisitor);
      await attachSignIn(deps.env, request, guest);
      return { user: presentViewer(guest.viewer) };
    },
    register: async ({ request, body, authentication, keyed }) => {
      const registration = await readRegistration(deps, { request, form: body.user, authentication });
      const account = await registerAccount(deps, registration, keyed);
      await attachSignIn(deps.env, request, account);
      return { user: presentViewer(account.viewer) };
    },
  });
}
