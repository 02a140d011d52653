import type { Endpoints } from "#src/http/endpoint.ts";

/** What a session shows of those who give it. */
export const brandsEndpoints = {
  showLogo: {
    route: "GET /api/v1/logos/:key",
    summary: "Serves the logo of a session or a blueprint",
    notes: "A PNG. Its address cannot be guessed, and another logo has another one.",
    who: "public",
    skipsSignIn: true,
    params: { key: "text" },
    answer: "file",
  },
} as const satisfies Endpoints;
