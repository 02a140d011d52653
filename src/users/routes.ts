import { Elysia } from "elysia";
import type { Deps } from "#src/deps.ts";
import { accountRoutes } from "./account-routes.ts";
import { carrySignIn, dropSignIn } from "./carry-sign-in.ts";
import { readSignIn } from "./read-sign-in.ts";
import { recoveryRoutes } from "./recovery-routes.ts";
import { signIn } from "./sign-in.ts";
import { signOut } from "./sign-out.ts";
import { presentViewer } from "./viewer.ts";
import { visiting } from "./visiting.ts";

/** Signing in and out, the ways back in, and the own account. */
export function usersRoutes(deps: Deps) {
  return new Elysia({ name: "users" })
    .use(visiting(deps))
    .use(recoveryRoutes(deps))
    .use(accountRoutes(deps))
    .post("/users/sign_in", async ({ request, body, visit }) => {
      const form = await readSignIn(deps, { request, body, visit });
      const signedIn = await signIn(deps, form);
      await signOut(deps, visit.signInId);
      await carrySignIn(deps.env, request, signedIn);
      return { user: presentViewer(signedIn.viewer) };
    })
    .delete("/users/sign_out", async ({ request, visit, set }) => {
      await signOut(deps, visit.signInId);
      dropSignIn(deps.env, request);
      set.status = 204;
    });
}
