import type { SessionSettings } from "#src/show/sessions/schemas.ts";
import { type FormOf, readForm } from "../ui/forms/read-form.ts";

const switches = {
  smallRoom: "checkbox",
  voidUncalled: "checkbox",
  houseDollar: "checkbox",
  chatApproval: "checkbox",
  private: "checkbox",
  givenNames: "checkbox",
} as const;

/** The fields of a form with settings, for `readForm`. `teams` has one name a line. */
export const settingFields = {
  leadSeconds: "text",
  settlementDelaySeconds: "text",
  ...switches,
  teams: "text",
} as const;

/** The settings in the form of a session or a blueprint, as typed or as saved. */
export type SettingValues = FormOf<typeof settingFields>;

export function valuesOf(settings: SessionSettings): SettingValues {
  return {
    ...settings,
    leadSeconds: String(settings.leadSeconds),
    settlementDelaySeconds: String(settings.settlementDelaySeconds),
    teams: textOfTeams(settings.teams),
  };
}

export function settingsIn(form: FormData) {
  const settings = readForm(form, { leadSeconds: "number", settlementDelaySeconds: "number", ...switches });
  return { ...settings, teams: typedTeams(form) };
}

/** The texts of the fields, by the names that errors use. @param within "settings" or "defaults". */
export function textsOfSettings(
  { leadSeconds, settlementDelaySeconds, teams }: SettingValues,
  within: string,
): Record<string, string> {
  return {
    [`${within}.leadSeconds`]: leadSeconds,
    [`${within}.settlementDelaySeconds`]: settlementDelaySeconds,
    [`${within}.teams`]: textOfTeams(teamsIn(teams)),
  };
}

/** The names of teams as a form shows them: one a line. */
function textOfTeams(names: readonly string[] = []): string {
  return names.join("\n");
}

/** The names that were typed, one a line. */
function teamsIn(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** The names in a form; undefined where its page has no such field, which is one of the release before. */
function typedTeams(form: FormData): string[] | undefined {
  const text = form.get("teams");
  return typeof text === "string" ? teamsIn(text) : undefined;
}
