import type { Endpoints } from "#src/http/endpoint.ts";

/** The drawn faces that players choose from. */
export const facesEndpoints = {
  showFace: {
    route: "GET /api/v1/faces/:face",
    summary: "Serves a drawn face",
    notes:
      "They have the numbers from 1 to 24. A user with a face has this address in `avatar`, in all sizes.",
    who: "public",
    params: { face: "text" },
    answer: "file",
    etag: true,
  },
} as const satisfies Endpoints;
