import * as v from "valibot";
import { auditSubjects } from "#db/lists/audit.ts";
import { SESSION_SLUG_LENGTH_MAX } from "#db/lists/session-address.ts";
import { dateField, moment, rowId, textBlock } from "#src/http/schemas.ts";
import { EMAIL_LENGTH_MAX } from "#src/people/sign-ins/contract.ts";
import { auditLineSchema } from "#src/show/sessions/schemas.ts";

const ACTION_LENGTH_MAX = 100;

const filters = {
  action: v.optional(textBlock(ACTION_LENGTH_MAX)),
  /** The kind of record that it was done to. */
  subject: v.optional(v.picklist(auditSubjects, "is invalid")),
  /** Who did it: a username, or an id. */
  actor: v.optional(textBlock(EMAIL_LENGTH_MAX)),
  /** A slug, or an id. */
  session: v.optional(textBlock(SESSION_SLUG_LENGTH_MAX)),
  /** `from` counts, `to` does not. */
  from: v.optional(dateField),
  to: v.optional(dateField),
};

/** `?action=resolve&subject=event&actor=ana&session=derby&from=2026-11-21T20:00:00Z`. */
export const auditFilter = v.object(filters);
export type AuditFilter = v.InferOutput<typeof auditFilter>;

/** `before`: the id of an entry, behind which the page begins. */
export const siteAuditQuery = v.object({
  ...filters,
  before: v.optional(v.pipe(v.string(), v.toNumber(), rowId)),
});
export type SiteAuditQuery = v.InferOutput<typeof siteAuditQuery>;

export const siteAuditLineSchema = v.object({
  ...auditLineSchema.entries,
  /** `title` is an event's current question, or a user's name; null for other subjects, and for what is deleted. */
  subject: v.object({ type: v.string(), id: rowId, title: v.nullable(v.string()) }),
  /** Null: it is of no session, or of a deleted one. */
  session: v.nullable(v.object({ id: rowId, slug: v.string(), name: v.string() })),
});
export type SiteAuditLine = v.InferOutput<typeof siteAuditLineSchema>;
export const siteAuditAnswer = v.object({
  audit: v.array(siteAuditLineSchema),
  actions: v.array(v.string()),
  meta: v.object({
    /** `before` of the next page; null: this is the last. */
    before: v.nullable(rowId),
    serverTime: moment,
  }),
});
export type SiteAuditAnswer = v.InferOutput<typeof siteAuditAnswer>;
