import { rates } from "#src/http/rates.ts";
import { endpoint } from "#src/people/sign-ins/serve-endpoints.ts";
import { forHosts } from "#src/play/session-endpoints.ts";
import { listHosts, removeHost, reportHost } from "./report-host.ts";
import { hostsAnswer, updateHostBody } from "./schemas.ts";

/*
 * Two hosts of one session see each other: who else is there, and what they are about to do. A page reports every few seconds
 * while it is visible. What it reports is kept in Redis for some seconds and nowhere else, and only admins receive it.
 */

export const hostingEndpoints = {
  listHosts: endpoint({
    ...forHosts,
    route: "GET /api/v1/sessions/:id/hosts",
    summary: "Lists the hosts who have the session's Admin tab open, and what each is about to do",
    notes: "Without Redis the list is empty.",
    token: "run",
    answer: hostsAnswer,
    handle: (deps, { params }) => listHosts(deps, params.id),
  }),
  updateHost: endpoint({
    route: "PUT /api/v1/sessions/:id/hosts/:tab",
    summary: "Reports that a host's page is there, and what the host has armed; answers the list",
    notes:
      "`:tab` is a UUID that the page makes. Reports last 12 s. Changes are broadcast to the admins on the SessionsChannel: the message `Host`.",
    who: "host",
    session: "id",
    params: { id: "text", tab: "text" },
    body: { host: updateHostBody },
    answer: hostsAnswer,
    rate: rates.host,
    handle: (deps, { viewer, params, body }) =>
      reportHost(deps, { viewer, sessionId: params.id, tab: params.tab, ...body.host }),
  }),
  removeHost: endpoint({
    route: "DELETE /api/v1/sessions/:id/hosts/:tab",
    summary: "Reports that a host's page is left",
    who: "host",
    session: "id",
    params: { id: "text", tab: "text" },
    rate: rates.host,
    handle: (deps, { viewer, params }) => removeHost(deps, { viewer, sessionId: params.id, tab: params.tab }),
  }),
};
