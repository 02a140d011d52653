import type { Deps } from "#src/base/deps.ts";
import { attachSignIn, detachSignIn } from "./attach-sign-in.ts";
import { signInEndpoints } from "./endpoints.ts";
import { readSignIn } from "./read-sign-in.ts";
import { serveEndpoints } from "./serve-endpoints.ts";
import { signIn } from "./sign-in.ts";
import { signOut } from "./sign-out.ts";
import { presentViewer } from "./viewer.ts";

/** Signs in and out. */
export function signInRoutes(deps: Deps) {
  return serveEndpoints(deps, signInEndpoints, {
    signIn: async ({ request, body, visit }) => {
      const signedIn = await signIn(deps, await readSignIn(deps, { request, form: body.user, visit }));
      await signOut(deps, visit.signInId);
      await attachSignIn(deps.env, request, signedIn);
      return { user: presentViewer(signedIn.viewer) };
    },
    signOut: async ({ request, visit }) => {
      await signOut(deps, visit.signInId);
      detachSignIn(deps.env, request);
    },
  });
}
