import { Elysia } from "elysia";
import type { Deps } from "#src/deps.ts";
import { limitRate } from "#src/http/rate-limit.ts";
import { rates } from "#src/http/rates.ts";
import { carrySignIn } from "./carry-sign-in.ts";
import { createGuest } from "./create-guest.ts";
import { readRegistration } from "./read-registration.ts";
import { registerAccount } from "./register-account.ts";
import { requireSignedOut } from "./require-viewer.ts";
import { browserOf } from "./start-sign-in.ts";
import { presentViewer } from "./viewer.ts";
import { visiting } from "./visiting.ts";

/** Playing without an account, and making one: of a guest, or from nothing. */
export function guestRoutes(deps: Deps) {
  return new Elysia({ name: "guests" })
    .use(visiting(deps))
    .post("/users/guest", async ({ request, visit, status }) => {
      requireSignedOut(visit);
      await limitRate(deps, rates.playAsGuest, visit);
      const guest = await createGuest(deps, browserOf(visit, request));
      await carrySignIn(deps.env, request, guest);
      return status(201, { user: presentViewer(guest.viewer) });
    })
    .post("/users/guest_registration", async ({ request, body, visit, status }) => {
      const registration = await readRegistration(deps, { request, body, visit });
      const account = await registerAccount(deps, registration);
      await carrySignIn(deps.env, request, account);
      return status(201, { user: presentViewer(account.viewer) });
    });
}
