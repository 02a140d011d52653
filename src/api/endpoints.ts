import type { Endpoints } from "#src/http/endpoint.ts";

/** The reference of the API, which is no part of it. */
export const referenceEndpoints = {
  showReference: {
    method: "GET",
    path: "/api",
    summary: "Shows the reference of the API",
    who: "public",
    skipsSignIn: true,
    answer: "file",
  },
  showDocument: {
    method: "GET",
    path: "/api/openapi.json",
    summary: "Shows the API as an OpenAPI document",
    who: "public",
    skipsSignIn: true,
    answer: "file",
  },
} as const satisfies Endpoints;
