import { endpoint } from "#src/people/sign-ins/serve-endpoints.ts";
import { showFace } from "./show-face.ts";

export const facesEndpoints = {
  showFace: endpoint({
    route: "GET /api/v1/faces/:face",
    summary: "Serves a drawn face",
    notes:
      "They have the numbers from 1 to 24. A user with a face has this address in `avatar`, in all sizes.",
    who: "public",
    params: { face: "text" },
    answer: "file",
    etag: true,
    handle: async (_deps, { params, request }) => showFace(params.face, request),
  }),
};
