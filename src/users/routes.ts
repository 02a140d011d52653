import { Elysia } from "elysia";
import type { Deps } from "#src/deps.ts";
import { accountRoutes } from "./account-routes.ts";
import { carrySignIn, dropSignIn } from "./carry-sign-in.ts";
import { createGuest } from "./create-guest.ts";
import { signInEndpoints } from "./endpoints.ts";
import { readRegistration } from "./read-registration.ts";
import { readSignIn } from "./read-sign-in.ts";
import { recoveryRoutes } from "./recovery-routes.ts";
import { registerAccount } from "./register-account.ts";
import { serveEndpoints } from "./serve-endpoints.ts";
import { signIn } from "./sign-in.ts";
import { signOut } from "./sign-out.ts";
import { browserOf } from "./start-sign-in.ts";
import { presentViewer } from "./viewer.ts";

/** Signing in and out, playing as a guest, the ways back in, and the own account. */
export function usersRoutes(deps: Deps) {
  return new Elysia().use(signInRoutes(deps)).use(recoveryRoutes(deps)).use(accountRoutes(deps));
}

function signInRoutes(deps: Deps) {
  return serveEndpoints(deps, signInEndpoints, {
    signIn: async ({ request, body, visit }) => {
      const signedIn = await signIn(deps, await readSignIn(deps, { request, form: body.user, visit }));
      await signOut(deps, visit.signInId);
      await carrySignIn(deps.env, request, signedIn);
      return { user: presentViewer(signedIn.viewer) };
    },
    signOut: async ({ request, visit }) => {
      await signOut(deps, visit.signInId);
      dropSignIn(deps.env, request);
    },
    playAsGuest: async ({ request, visit }) => {
      const guest = await createGuest(deps, browserOf(visit, request));
      await carrySignIn(deps.env, request, guest);
      return { user: presentViewer(guest.viewer) };
    },
    register: async ({ request, body, visit }) => {
      const registration = await readRegistration(deps, { request, form: body.user, visit });
      const account = await registerAccount(deps, registration);
      await carrySignIn(deps.env, request, account);
      return { user: presentViewer(account.viewer) };
    },
  });
}
