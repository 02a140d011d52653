import { serveEndpoints } from "#src/people/sign-ins/serve-endpoints.ts";
import { facesEndpoints } from "./endpoints.ts";
import { showFace } from "./show-face.ts";

/** Answers the endpoint of the drawn faces. */
export function facesRoutes() {
  return serveEndpoints(facesEndpoints, {
    showFace: async ({ params, request }) => showFace(params.face, request),
  });
}
