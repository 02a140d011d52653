import { endpoint } from "#src/people/sign-ins/serve-endpoints.ts";
import { forHosts, slugOrId } from "#src/play/session-endpoints.ts";
import { addSessionHost, listSessionHosts, removeSessionHost } from "./manage-session-hosts.ts";
import { addSessionHostBody, sessionHostsAnswer } from "./schemas.ts";

export const sessionHostsEndpoints = {
  listSessionHosts: endpoint({
    ...forHosts,
    route: "GET /api/v1/sessions/:id/session_hosts",
    summary: "Lists the hosts of a session, those who were added first at first",
    notes: "Admins host every session and are not listed. Only admins read email addresses.",
    token: "none",
    answer: sessionHostsAnswer,
    handle: (deps, { params, viewer }) => listSessionHosts(deps.pool.db, params.id, viewer),
  }),
  addSessionHost: endpoint({
    route: "POST /api/v1/sessions/:id/session_hosts",
    summary: "Makes a user a host of a session: in it, and nowhere else, the user counts as an admin",
    notes:
      "`user` is the username or the email address of an account. The user is notified. A repeated request gets 200 and changes nothing.",
    who: "admin",
    params: slugOrId,
    body: { sessionHost: addSessionHostBody },
    answer: sessionHostsAnswer,
    repeatedStatus: 200,
    creates: true,
    refusals: {
      admin: "Admins host every session.",
      too_many_hosts: "The session has as many hosts as it may, or the user hosts as many sessions.",
    },
    handle: async (deps, { params, viewer, body, keyed, set }) => {
      const command = { sessionId: params.id, actor: viewer, ...body.sessionHost };
      const { created } = await addSessionHost(deps, command, keyed);
      if (!created) set.status = 200;
      return listSessionHosts(deps.pool.db, params.id, viewer);
    },
  }),
  removeSessionHost: endpoint({
    route: "DELETE /api/v1/sessions/:id/session_hosts/:userId",
    summary: "Makes a host of a session an ordinary player again, at once",
    notes: "Repeating it changes nothing.",
    who: "admin",
    params: slugOrId,
    handle: (deps, { params, viewer }) =>
      removeSessionHost(deps, { sessionId: params.id, userId: params.userId, actor: viewer }),
  }),
};
