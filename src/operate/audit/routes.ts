import type { Deps } from "#src/base/deps.ts";
import { readLate } from "#src/http/read-late.ts";
import { serveEndpoints } from "#src/people/sign-ins/serve-endpoints.ts";
import { siteAuditEndpoints } from "./endpoints.ts";
import { exportSiteAudit, listSiteAudit } from "./list-site-audit.ts";

export function siteAuditRoutes(deps: Deps) {
  return serveEndpoints(siteAuditEndpoints, {
    listSiteAudit: ({ query, now }) => listSiteAudit(deps.pool.db, query, now),
    exportSiteAudit: ({ request, query }) =>
      readLate(deps, request, ({ pool }) => exportSiteAudit(pool.db, query)),
  });
}
