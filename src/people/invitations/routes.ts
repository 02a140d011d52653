import type { Deps } from "#src/base/deps.ts";
import { serveEndpoints } from "#src/people/sign-ins/serve-endpoints.ts";
import { invitationsEndpoints } from "./endpoints.ts";
import { listInvitations, makeInvitation, revokeInvitation } from "./make-invitation.ts";

export function invitationsRoutes(deps: Deps) {
  return serveEndpoints(invitationsEndpoints, {
    listInvitations: () => listInvitations(deps.pool.db),
    makeInvitation: ({ viewer, body, keyed }) =>
      makeInvitation(deps, { ...body.invitation, actor: viewer }, keyed),
    revokeInvitation: ({ viewer, params }) => revokeInvitation(deps, { actor: viewer, id: params.id }),
  });
}
