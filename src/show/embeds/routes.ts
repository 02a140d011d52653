import type { Deps } from "#src/base/deps.ts";
import { serveEndpoints } from "#src/people/sign-ins/serve-endpoints.ts";
import { embedsEndpoints } from "./endpoints.ts";
import { showEmbed } from "./show-embed.ts";

export function embedsRoutes(deps: Deps) {
  return serveEndpoints(embedsEndpoints, { showEmbed: ({ query, now }) => showEmbed(deps, query, now) });
}
