import type { Deps } from "#src/base/deps.ts";
import { serveEndpoints } from "#src/people/sign-ins/serve-endpoints.ts";
import { requireSession } from "#src/show/sessions/find-session.ts";
import { sessionHostsEndpoints } from "./endpoints.ts";
import { addSessionHost, listSessionHosts, removeSessionHost } from "./manage-session-hosts.ts";

/** Answers the endpoints of the hosts of one session. */
export function sessionHostsRoutes(deps: Deps) {
  const { db } = deps.pool;
  return serveEndpoints(sessionHostsEndpoints, {
    listSessionHosts: ({ params, viewer }) => listSessionHosts(db, params.id, viewer),
    addSessionHost: async ({ params, viewer, body, keyed, set }) => {
      const { id: sessionId } = await requireSession(db, params.id);
      const command = { sessionId, actor: viewer, ...body.sessionHost };
      const { created } = await addSessionHost(deps, command, keyed);
      if (!created) set.status = 200;
      return listSessionHosts(db, sessionId, viewer);
    },
    removeSessionHost: async ({ params, viewer }) => {
      const { id: sessionId } = await requireSession(db, params.id);
      await removeSessionHost(deps, { sessionId, userId: params.userId, actor: viewer });
    },
  });
}
