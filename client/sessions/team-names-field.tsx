import * as words from "#client/base/format/words.ts";
import { TEAM_NAME_LENGTH_MAX, teamNumbers, TEAMS_MIN } from "#db/lists/teams.ts";
import { Field, type FieldErrors } from "../ui/field.tsx";
import { teamErrors } from "./team-names.ts";

const teamsHint = (min: number, max: number) =>
  `${min} to ${max} names, one a line. Empty: everybody plays alone. Once players are in them, change names and add teams at the end.`;

/** The names of a session's teams, one a line. `value`: as typed or as saved. */
export function TeamNamesField({ value, errors }: { value: string; errors: FieldErrors }) {
  return (
    <Field
      label={words.teams}
      name="teams"
      type="textarea"
      rows={3}
      optional
      value={value}
      maxLength={teamNumbers.max * (TEAM_NAME_LENGTH_MAX + 1)}
      hint={teamsHint(TEAMS_MIN, teamNumbers.max)}
      errors={teamErrors(errors)}
    />
  );
}
