import { momentIn } from "#client/base/format/field-time.ts";
import { SETTLEMENT_DELAY_DEFAULT_SECONDS } from "#src/show/events/contract.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import { toFieldTime } from "../base/format/time-format.ts";
import { readForm } from "../ui/forms/read-form.ts";

/** The values of a session's form, as typed or as saved. */
export type SessionFields = {
  name: string;
  description: string;
  slug: string;
  /** A saved time, or the text that was typed. */
  startsAt: { at: string | null } | { typed: string };
  leadSeconds: string;
  settlementDelaySeconds: string;
  smallRoom: boolean;
  voidUncalled: boolean;
  houseDollar: boolean;
  chatApproval: boolean;
};

export const emptyFields: SessionFields = {
  name: "",
  description: "",
  slug: "",
  startsAt: { at: null },
  leadSeconds: "10",
  settlementDelaySeconds: String(SETTLEMENT_DELAY_DEFAULT_SECONDS),
  smallRoom: false,
  voidUncalled: false,
  houseDollar: true,
  chatApproval: false,
};

/** The values of a saved session. */
export function fieldsOf({ name, description, slug, startsAt, settings }: SessionView): SessionFields {
  return {
    name,
    description,
    slug,
    startsAt: { at: startsAt },
    leadSeconds: String(settings.leadSeconds),
    settlementDelaySeconds: String(settings.settlementDelaySeconds),
    smallRoom: settings.smallRoom,
    voidUncalled: settings.voidUncalled,
    houseDollar: settings.houseDollar,
    chatApproval: settings.chatApproval,
  };
}

/** The values as they were sent, to be shown again beside the errors. */
export function fieldsIn(form: FormData): SessionFields {
  const { startsAt, ...fields } = readForm(form, {
    name: "text",
    description: "text",
    slug: "text",
    startsAt: "text",
    leadSeconds: "text",
    settlementDelaySeconds: "text",
    smallRoom: "checkbox",
    voidUncalled: "checkbox",
    houseDollar: "checkbox",
    chatApproval: "checkbox",
  });
  return { ...fields, startsAt: { typed: startsAt } };
}

/** The session as the API expects it. The start was typed in the viewer's time zone, which the form sends along. */
export function sessionIn(form: FormData) {
  const { name, description, ...settings } = readForm(form, {
    name: "text",
    description: "text",
    leadSeconds: "number",
    settlementDelaySeconds: "number",
    smallRoom: "checkbox",
    voidUncalled: "checkbox",
    houseDollar: "checkbox",
    chatApproval: "checkbox",
  });
  return { name, description, startsAt: momentIn(form, "starts_at"), settings };
}

/** The texts of the form's fields, by the names that errors use. */
export function textsOf(fields: SessionFields, timeZone: string): Record<string, string> {
  return {
    name: fields.name,
    description: fields.description,
    startsAt: startsAtIn(fields, timeZone),
    "settings.leadSeconds": fields.leadSeconds,
    "settings.settlementDelaySeconds": fields.settlementDelaySeconds,
  };
}

/** The text of the start's field in a time zone. */
export function startsAtIn({ startsAt }: SessionFields, timeZone: string): string {
  if ("typed" in startsAt) return startsAt.typed;
  return startsAt.at === null ? "" : toFieldTime(startsAt.at, timeZone);
}
