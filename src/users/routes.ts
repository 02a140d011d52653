import { Elysia } from "elysia";
import type { Deps } from "#src/deps.ts";
import { readBody } from "#src/http/read-body.ts";
import { carrySignIn, dropSignIn } from "./carry-sign-in.ts";
import { signInBody } from "./contract.ts";
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
      const credentials = readBody(body, "user", signInBody);
      const userAgent = request.headers.get("user-agent");
      const signedIn = await signIn(deps, { ...credentials, address: visit.address, userAgent });
      await carrySignIn(deps.env, request, signedIn);
      return { user: presentViewer(signedIn.viewer) };
    })
    .delete("/users/sign_out", async ({ request, visit, set }) => {
      await signOut(deps, visit.signInId);
      dropSignIn(deps.env, request);
      set.status = 204;
    });
}
