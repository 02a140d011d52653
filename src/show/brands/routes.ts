import type { Deps } from "#src/base/deps.ts";
import { serveEndpoints } from "#src/people/sign-ins/serve-endpoints.ts";
import { brandsEndpoints } from "./endpoints.ts";
import { showLogo } from "./show-logo.ts";

export function brandsRoutes(deps: Deps) {
  return serveEndpoints(brandsEndpoints, { showLogo: ({ params }) => showLogo(deps, params.key) });
}
