import { signedIn } from "#src/people/passkeys/signed-in.ts";
import { endpoint } from "#src/people/sign-ins/serve-endpoints.ts";
import { forHosts } from "#src/play/session-endpoints.ts";
import { listDocks, makeDock, revokeDock, showDock } from "./manage-docks.ts";
import { docksAnswer, dockShowAnswer, newDockAnswer } from "./schemas.ts";

/** Docks: narrow pages, for a place in OBS, in which a show is run by a link alone. */
export const docksEndpoints = {
  listDocks: endpoint({
    ...forHosts,
    route: "GET /api/v1/sessions/:id/docks",
    summary: "Lists the docks of a session whose links were not revoked, the newest first",
    token: "none",
    answer: docksAnswer,
    handle: (deps, { params }) => listDocks(deps.pool.db, params.id),
  }),
  makeDock: endpoint({
    ...forHosts,
    route: "POST /api/v1/sessions/:id/docks",
    summary: "Makes a dock, by whose link the show is run without a sign-in",
    notes:
      "`url` is in this answer only. What is done by it is audited as the dock of who made it, and refused where they may not do it. It ends with the show, and when they do not run the session any more.",
    answer: newDockAnswer,
    creates: true,
    handle: (deps, { params, viewer, authentication, keyed }) =>
      makeDock(deps, { sessionId: params.id, ...signedIn(viewer, authentication) }, keyed),
  }),
  revokeDock: endpoint({
    ...forHosts,
    route: "DELETE /api/v1/sessions/:id/docks/:dockId",
    summary: "Revokes the link of a dock",
    notes: "It is refused from this answer on.",
    handle: (deps, { params, viewer }) =>
      revokeDock(deps, { sessionId: params.id, dockId: params.dockId, actor: viewer }),
  }),
  showDock: endpoint({
    ...forHosts,
    route: "GET /api/v1/sessions/:id/dock",
    summary: "Shows a session and its events as its dock does",
    dock: true,
    answer: dockShowAnswer,
    handle: (deps, { params, viewer, now }) => showDock(deps, { slugOrId: params.id, viewer }, now),
  }),
};
