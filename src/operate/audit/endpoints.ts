import { readLate } from "#src/http/read-late.ts";
import { endpoint } from "#src/people/sign-ins/serve-endpoints.ts";
import { AUDIT_SHOWN } from "./contract.ts";
import { exportSiteAudit, listSiteAudit } from "./list-site-audit.ts";
import { auditFilter, siteAuditAnswer, siteAuditQuery } from "./schemas.ts";

/**
 * The audit of the whole site. Decision: it is for admins alone. It has reasons, drafts, and what people were called or have written,
 * which only admins read elsewhere; operators see what runs and the books, and no people. And it is about people: no token reads it.
 */
export const siteAuditEndpoints = {
  listSiteAudit: endpoint({
    route: "GET /api/v1/audit",
    summary: "Lists who did what to which record on the whole site, newest first",
    notes: `${AUDIT_SHOWN} at a time; \`before\` continues with the value that the page before has in \`meta\`. \`actor\` is a username or an id, \`session\` a slug or an id, \`subject\` a kind of record. \`from\` counts and \`to\` does not.`,
    who: "admin",
    token: "none",
    query: siteAuditQuery.entries,
    answer: siteAuditAnswer,
    handle: (deps, { query, now }) => listSiteAudit(deps.pool.db, query, now),
  }),
  exportSiteAudit: endpoint({
    route: "GET /api/v1/audit.csv",
    summary: "Exports the audit of the whole site, or what is filtered of it, as a CSV file, newest first",
    notes: "`before` and `after` of an entry are JSON.",
    who: "admin",
    token: "none",
    query: auditFilter.entries,
    answer: "file",
    handle: (deps, { request, query }) =>
      readLate(deps, request, ({ pool }) => exportSiteAudit(pool.db, query)),
  }),
};
