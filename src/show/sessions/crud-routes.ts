import type { Deps } from "#src/base/deps.ts";
import { readLate } from "#src/http/read-late.ts";
import { serveEndpoints } from "#src/people/sign-ins/serve-endpoints.ts";
import { createSession } from "./create-session.ts";
import { destroySession } from "./destroy-session.ts";
import { sessionCrudEndpoints } from "./endpoints.ts";
import { requireSession } from "./find-session.ts";
import { listAudit } from "./list-audit.ts";
import { showSession } from "./show-session.ts";
import { updateSession } from "./update-session.ts";

/** Answers the endpoints that create, change and delete sessions, and the audit log's. */
export function sessionCrud(deps: Deps) {
  const { db } = deps.pool;
  return serveEndpoints(deps, sessionCrudEndpoints, {
    createSession: async ({ viewer, body, keyed }) => {
      const { id } = await createSession(deps, { actor: viewer, ...body.session }, keyed);
      return showSession(deps, id, viewer);
    },
    updateSession: async ({ viewer, params, body, ifVersion }) => {
      const { id: sessionId } = await requireSession(db, params.id);
      await updateSession(deps, { sessionId, actor: viewer, changes: body.session, ifVersion });
      return showSession(deps, sessionId, viewer);
    },
    listAudit: ({ request, params, page, now }) =>
      readLate(deps, request, ({ pool }) => listAudit(pool.db, { slugOrId: params.id, page }, now)),
    destroySession: async ({ viewer, params, ifVersion }) => {
      const { id: sessionId } = await requireSession(db, params.id);
      await destroySession(deps, { sessionId, actor: viewer, ifVersion });
    },
  });
}
