import type { Deps } from "#src/base/deps.ts";
import { signedIn } from "#src/people/passkeys/signed-in.ts";
import { serveEndpoints } from "#src/people/sign-ins/serve-endpoints.ts";
import { docksEndpoints } from "./endpoints.ts";
import { listDocks, makeDock, revokeDock, showDock } from "./manage-docks.ts";

export function docksRoutes(deps: Deps) {
  return serveEndpoints(docksEndpoints, {
    listDocks: ({ params }) => listDocks(deps.pool.db, params.id),
    makeDock: ({ params, viewer, authentication, keyed }) =>
      makeDock(deps, { sessionId: params.id, ...signedIn(viewer, authentication) }, keyed),
    revokeDock: ({ params, viewer }) =>
      revokeDock(deps, { sessionId: params.id, dockId: params.dockId, actor: viewer }),
    showDock: ({ params, viewer, now }) => showDock(deps, { slugOrId: params.id, viewer }, now),
  });
}
