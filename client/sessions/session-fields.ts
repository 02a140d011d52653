import type { SessionView } from "#src/sessions/schemas.ts";
import { numberIn, textIn } from "../form-fields.ts";
import { fromFieldTime, toFieldTime } from "../ui/time-format.ts";

/** What the form of a session holds, as it was typed or as it starts. */
export type SessionFields = {
  name: string;
  description: string;
  slug: string;
  /** A moment, or what was typed into the field. */
  startsAt: { at: string | null } | { typed: string };
  leadSeconds: string;
  settlementDelaySeconds: string;
  smallRoom: boolean;
};

export const emptyFields: SessionFields = {
  name: "",
  description: "",
  slug: "",
  startsAt: { at: null },
  leadSeconds: "10",
  settlementDelaySeconds: "0",
  smallRoom: false,
};

/** The session as its form starts. */
export function fieldsOf({ name, description, slug, startsAt, settings }: SessionView): SessionFields {
  return {
    name,
    description,
    slug,
    startsAt: { at: startsAt },
    leadSeconds: String(settings.leadSeconds),
    settlementDelaySeconds: String(settings.settlementDelaySeconds),
    smallRoom: settings.smallRoom,
  };
}

/** The form as it was sent, to be shown again beside what is wrong with it. */
export function fieldsIn(form: FormData): SessionFields {
  return {
    name: textIn(form, "name"),
    description: textIn(form, "description"),
    slug: textIn(form, "slug"),
    startsAt: { typed: textIn(form, "starts_at") },
    leadSeconds: textIn(form, "lead_seconds"),
    settlementDelaySeconds: textIn(form, "settlement_delay_seconds"),
    smallRoom: textIn(form, "small_room") === "1",
  };
}

/** The same as the API takes it. A start is written in the reader's own zone, which the form sends along. */
export function sessionIn(form: FormData) {
  const startsAt = textIn(form, "starts_at");
  return {
    name: textIn(form, "name"),
    description: textIn(form, "description"),
    startsAt: startsAt === "" ? null : (fromFieldTime(startsAt, textIn(form, "time_zone")) ?? startsAt),
    settings: {
      leadSeconds: numberIn(form, "lead_seconds"),
      settlementDelaySeconds: numberIn(form, "settlement_delay_seconds"),
      smallRoom: textIn(form, "small_room") === "1",
    },
  };
}

/** What the form holds, as its fields show it, by the names that errors have. */
export function wordsOf(fields: SessionFields, timeZone: string): Record<string, string> {
  return {
    name: fields.name,
    description: fields.description,
    startsAt: startsAtIn(fields, timeZone),
    "settings.leadSeconds": fields.leadSeconds,
    "settings.settlementDelaySeconds": fields.settlementDelaySeconds,
  };
}

/** What the field for the start holds in a zone. */
export function startsAtIn({ startsAt }: SessionFields, timeZone: string): string {
  if ("typed" in startsAt) return startsAt.typed;
  return startsAt.at === null ? "" : toFieldTime(startsAt.at, timeZone);
}
