import type { Endpoints } from "#src/http/endpoint.ts";
import { invitationsAnswer, newInvitationAnswer, newInvitationBody } from "./schemas.ts";

/** Links by which people create accounts where REGISTRATION is invited. */
export const invitationsEndpoints = {
  listInvitations: {
    route: "GET /api/v1/invitations",
    summary: "Lists the newest 100 invitations, with who made and who used them",
    who: "admin",
    token: "none",
    answer: invitationsAnswer,
  },
  makeInvitation: {
    route: "POST /api/v1/invitations",
    summary: "Makes an invitation to create an account",
    notes:
      "`url` is the link to send, and is in this answer only. It counts where REGISTRATION is `invited`: each account takes one use.",
    who: "admin",
    body: { invitation: newInvitationBody },
    bodyOptional: true,
    answer: newInvitationAnswer,
    creates: true,
  },
  revokeInvitation: {
    route: "DELETE /api/v1/invitations/:id",
    summary: "Takes an invitation back",
    notes: "Accounts that were made by it stay. Repeating it changes nothing else.",
    who: "admin",
  },
} as const satisfies Endpoints;
