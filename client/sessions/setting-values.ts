import type { SessionSettings } from "#src/show/sessions/schemas.ts";
import { type FormOf, readForm } from "../ui/forms/read-form.ts";
import { teamsIn, textOfTeams, typedTeams } from "./team-names.ts";

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

/** The values of saved settings. */
export function valuesOf(settings: SessionSettings): SettingValues {
  return {
    ...settings,
    leadSeconds: String(settings.leadSeconds),
    settlementDelaySeconds: String(settings.settlementDelaySeconds),
    teams: textOfTeams(settings.teams),
  };
}

/** The settings in a form, as the API expects them. */
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
