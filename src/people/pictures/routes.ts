import { serveEndpoints } from "#src/people/sign-ins/serve-endpoints.ts";
import { facesEndpoints } from "./endpoints.ts";
import { showFace } from "./show-face.ts";

export function facesRoutes() {
  return serveEndpoints(facesEndpoints, {
    showFace: async ({ params, request }) => showFace(params.face, request),
  });
}
