import type { Deps } from "#src/base/deps.ts";
import { serveEndpoints } from "#src/people/sign-ins/serve-endpoints.ts";
import { hostingEndpoints } from "./endpoints.ts";
import { listHosts, removeHost, reportHost } from "./report-host.ts";

export function hostingRoutes(deps: Deps) {
  return serveEndpoints(hostingEndpoints, {
    listHosts: ({ params }) => listHosts(deps, params.id),
    updateHost: ({ viewer, params, body }) =>
      reportHost(deps, { viewer, sessionId: params.id, tab: params.tab, ...body.host }),
    removeHost: ({ viewer, params }) => removeHost(deps, { viewer, sessionId: params.id, tab: params.tab }),
  });
}
