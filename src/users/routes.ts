import { Elysia } from "elysia";
import type { Deps } from "#src/deps.ts";
import { carrySignIn, dropSignIn } from "./carry-sign-in.ts";
import { readSignIn } from "./read-sign-in.ts";
import { requireSignedOut } from "./require-viewer.ts";
import { signIn } from "./sign-in.ts";
import { signOut } from "./sign-out.ts";
import { presentViewer } from "./viewer.ts";
import { visiting } from "./visiting.ts";

/** Signing in and out. */
export function usersRoutes(deps: Deps) {
  return new Elysia({ name: "users" })
    .use(visiting(deps))
    .post("/users/sign_in", async ({ request, body, visit }) => {
      requireSignedOut(visit);
      const signedIn = await signIn(deps, readSignIn(visit, request, body));
      await carrySignIn(deps.env, request, signedIn);
      return { user: presentViewer(signedIn.viewer) };
    })
    .delete("/users/sign_out", async ({ request, visit, set }) => {
      await signOut(deps, visit.signInId);
      dropSignIn(deps.env, request);
      set.status = 204;
    });
}
