import type { Deps } from "#src/base/deps.ts";
import { serveEndpoints } from "#src/people/sign-ins/serve-endpoints.ts";
import { facesEndpoints } from "./endpoints.ts";
import { showFace } from "./show-face.ts";

/** Answers the endpoint of the drawn faces. */
export function facesRoutes(deps: Deps) {
  return serveEndpoints(deps, facesEndpoints, {
    showFace: async ({ params, request }) => showFace(params.face, request),
  });
}
