import { endpoint } from "#src/people/sign-ins/serve-endpoints.ts";
import { showLogo } from "./show-logo.ts";

export const brandsEndpoints = {
  showLogo: endpoint({
    route: "GET /api/v1/logos/:key",
    summary: "Serves the logo of a session or a blueprint",
    notes: "A PNG. Its address cannot be guessed, and another logo has another one.",
    who: "public",
    skipsSignIn: true,
    params: { key: "text" },
    answer: "file",
    handle: (deps, { params }) => showLogo(deps, params.key),
  }),
};
