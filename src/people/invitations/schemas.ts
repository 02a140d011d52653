import * as v from "valibot";
import { INVITATION_DAYS_MAX, INVITATION_USES_MAX } from "#db/lists/switches.ts";
import { moment, rowId, wholeNumber } from "#src/http/schemas.ts";

export const invitationSchema = v.object({
  id: rowId,
  usesMax: v.number(),
  uses: v.number(),
  state: v.picklist(["open", "used_up", "expired", "revoked"]),
  expiresAt: moment,
  createdAt: moment,
  /** The username of the admin who made it. */
  madeBy: v.string(),
  /** The newest accounts that were made by it. Deleted ones are left out. */
  usedBy: v.array(v.object({ id: rowId, username: v.string() })),
});
export type InvitationView = v.InferOutput<typeof invitationSchema>;

export const invitationsAnswer = v.object({ invitations: v.array(invitationSchema) });
export type InvitationsAnswer = v.InferOutput<typeof invitationsAnswer>;

/** `url` is in this answer and in no other. */
export const newInvitationAnswer = v.object({ invitation: invitationSchema, url: v.string() });
export type NewInvitationAnswer = v.InferOutput<typeof newInvitationAnswer>;

export const newInvitationBody = v.strictObject({
  usesMax: v.optional(wholeNumber(1, INVITATION_USES_MAX), 1),
  validDays: v.optional(wholeNumber(1, INVITATION_DAYS_MAX), 7),
});
export type NewInvitationBody = v.InferOutput<typeof newInvitationBody>;
