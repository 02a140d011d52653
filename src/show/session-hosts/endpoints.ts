import type { Endpoints } from "#src/http/endpoint.ts";
import { addSessionHostBody, sessionHostsAnswer } from "./schemas.ts";

const slugOrId = { id: "text" } as const;

/** Who hosts one session without being an admin. */
export const sessionHostsEndpoints = {
  listSessionHosts: {
    route: "GET /api/v1/sessions/:id/session_hosts",
    summary: "Lists the hosts of a session, those who were added first at first",
    notes: "Admins host every session and are not listed. Only admins read email addresses.",
    who: "host",
    token: "none",
    session: "id",
    params: slugOrId,
    answer: sessionHostsAnswer,
  },
  addSessionHost: {
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
  },
  removeSessionHost: {
    route: "DELETE /api/v1/sessions/:id/session_hosts/:userId",
    summary: "Makes a host of a session an ordinary player again, at once",
    notes: "Repeating it changes nothing.",
    who: "admin",
    params: slugOrId,
  },
} as const satisfies Endpoints;
