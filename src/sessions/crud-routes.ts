import { Elysia } from "elysia";
import type { Deps } from "#src/deps.ts";
import { readBody } from "#src/http/read-body.ts";
import { readPage } from "#src/http/read-query.ts";
import { requireAdmin } from "#src/users/require-viewer.ts";
import { visiting } from "#src/users/visiting.ts";
import { createSessionBody, updateSessionBody } from "./contract.ts";
import { createSession } from "./create-session.ts";
import { destroySession } from "./destroy-session.ts";
import { requireSession } from "./find-session.ts";
import { listAudit } from "./list-audit.ts";
import { showSession } from "./show-session.ts";
import { updateSession } from "./update-session.ts";

/** Making, changing and deleting sessions, and who did what in them: for admins. */
export function sessionCrud(deps: Deps) {
  return new Elysia({ name: "session-crud" })
    .use(visiting(deps))
    .post("/api/v1/sessions", async ({ body, visit, set }) => {
      const actor = requireAdmin(visit);
      const { id } = await createSession(deps, { actor, ...readBody(body, "session", createSessionBody) });
      set.status = 201;
      return showSession(deps, id, actor);
    })
    .patch("/api/v1/sessions/:id", async ({ params, body, visit }) => {
      const actor = requireAdmin(visit);
      const { id: sessionId } = await requireSession(deps.pool.db, params.id);
      await updateSession(deps, { sessionId, actor, changes: readBody(body, "session", updateSessionBody) });
      return showSession(deps, sessionId, actor);
    })
    .get("/api/v1/sessions/:id/audit", ({ params, query, visit }) => {
      requireAdmin(visit);
      return listAudit(deps.pool.db, { slugOrId: params.id, page: readPage(query) }, new Date());
    })
    .delete("/api/v1/sessions/:id", async ({ params, visit, set }) => {
      const actor = requireAdmin(visit);
      const { id: sessionId } = await requireSession(deps.pool.db, params.id);
      await destroySession(deps, { sessionId, actor });
      set.status = 204;
    });
}
