import { TEAM_NAME_LENGTH_MAX, teamNumbers, TEAMS_MIN } from "#db/lists/teams.ts";
import { Field, type FieldErrors } from "../ui/field.tsx";
import * as texts from "./session-form-texts.ts";
import { teamErrors } from "./team-names.ts";

/** The names of a session's teams, one a line. `value`: as typed or as saved. */
export function TeamNamesField({ value, errors }: { value: string; errors: FieldErrors }) {
  return (
    <Field
      label={texts.teams}
      name="teams"
      type="textarea"
      rows={3}
      optional
      value={value}
      maxLength={teamNumbers.max * (TEAM_NAME_LENGTH_MAX + 1)}
      hint={texts.teamsHint(TEAMS_MIN, teamNumbers.max)}
      errors={teamErrors(errors)}
    />
  );
}
