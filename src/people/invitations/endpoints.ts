import { endpoint } from "#src/people/sign-ins/serve-endpoints.ts";
import { listInvitations, makeInvitation, revokeInvitation } from "./make-invitation.ts";
import { invitationsAnswer, newInvitationAnswer, newInvitationBody } from "./schemas.ts";

/** Links by which people create accounts where REGISTRATION is invited. */
export const invitationsEndpoints = {
  listInvitations: endpoint({
    route: "GET /api/v1/invitations",
    summary: "Lists the newest 100 invitations, with who made and who used them",
    who: "admin",
    token: "none",
    answer: invitationsAnswer,
    handle: (deps) => listInvitations(deps.pool.db),
  }),
  makeInvitation: endpoint({
    route: "POST /api/v1/invitations",
    summary: "Makes an invitation to create an account",
    notes:
      "`url` is the link to send, and is in this answer only. It counts where REGISTRATION is `invited`: each account takes one use.",
    who: "admin",
    body: { invitation: newInvitationBody },
    bodyOptional: true,
    answer: newInvitationAnswer,
    creates: true,
    handle: (deps, { viewer, body, keyed }) =>
      makeInvitation(deps, { ...body.invitation, actor: viewer }, keyed),
  }),
  revokeInvitation: endpoint({
    route: "DELETE /api/v1/invitations/:id",
    summary: "Takes an invitation back",
    notes: "Accounts that were made by it stay. Repeating it changes nothing else.",
    who: "admin",
    handle: (deps, { viewer, params }) => revokeInvitation(deps, { actor: viewer, id: params.id }),
  }),
};
