import { momentIn, toFieldTime } from "#client/base/format/field-time.ts";
import { SETTLEMENT_DELAY_DEFAULT_SECONDS } from "#src/show/events/contract.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import { readForm } from "../ui/forms/read-form.ts";
import {
  settingFields,
  settingsIn,
  type SettingValues,
  textsOfSettings,
  valuesOf,
} from "./setting-values.ts";

/** The values of a session's form, as typed or as saved. */
export type SessionFields = SettingValues & {
  name: string;
  description: string;
  slug: string;
  /** A saved time, or the text that was typed. */
  startsAt: { at: string | null } | { typed: string };
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
  private: false,
  givenNames: false,
  teams: "",
};

export function fieldsOf({ name, description, slug, startsAt, settings }: SessionView): SessionFields {
  return { name, description, slug, startsAt: { at: startsAt }, ...valuesOf(settings) };
}

/** The values as they were sent, to be shown again beside the errors. */
export function fieldsIn(form: FormData): SessionFields {
  const texts = { name: "text", description: "text", slug: "text", startsAt: "text" } as const;
  const { startsAt, ...fields } = readForm(form, { ...texts, ...settingFields });
  return { ...fields, startsAt: { typed: startsAt } };
}

/** The session as the API expects it. The start was typed in the viewer's time zone, which the form sends along. */
export function sessionIn(form: FormData) {
  const texts = readForm(form, { name: "text", description: "text" });
  return { ...texts, startsAt: momentIn(form, "starts_at"), settings: settingsIn(form) };
}

/** The texts of the form's fields, by the names that errors use. */
export function textsOf(fields: SessionFields, timeZone: string): Record<string, string> {
  const { name, description } = fields;
  return {
    name,
    description,
    startsAt: startsAtIn(fields, timeZone),
    ...textsOfSettings(fields, "settings"),
  };
}

export function startsAtIn({ startsAt }: SessionFields, timeZone: string): string {
  if ("typed" in startsAt) return startsAt.typed;
  return startsAt.at === null ? "" : toFieldTime(startsAt.at, timeZone);
}
