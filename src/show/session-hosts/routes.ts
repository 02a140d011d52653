import type { Deps } from "#src/base/deps.ts";
import { serveEndpoints } from "#src/people/sign-ins/serve-endpoints.ts";
import { sessionHostsEndpoints } from "./endpoints.ts";
import { addSessionHost, listSessionHosts, removeSessionHost } from "./manage-session-hosts.ts";

export function sessionHostsRoutes(deps: Deps) {
  const { db } = deps.pool;
  return serveEndpoints(sessionHostsEndpoints, {
    listSessionHosts: ({ params, viewer }) => listSessionHosts(db, params.id, viewer),
    addSessionHost: async ({ params, viewer, body, keyed, set }) => {
      const command = { sessionId: params.id, actor: viewer, ...body.sessionHost };
      const { created } = await addSessionHost(deps, command, keyed);
      if (!created) set.status = 200;
      return listSessionHosts(db, params.id, viewer);
    },
    removeSessionHost: ({ params, viewer }) =>
      removeSessionHost(deps, { sessionId: params.id, userId: params.userId, actor: viewer }),
  });
}
