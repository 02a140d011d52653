import type { OfferedTeams } from "#src/play/teams/schemas.ts";
import * as texts from "./join-texts.ts";

/** The teams of a session in the form by which a player joins it. The smallest is chosen already, so nobody has to choose. */
export function TeamChoice({ offered: { teams, suggested } }: { offered: OfferedTeams }) {
  if (teams.length === 0) return null;
  return (
    <fieldset className="stack">
      <legend className="strong small">{texts.yourTeam}</legend>
      <div className="row wrap">
        {teams.map(({ number, name, membersCount }) => (
          <label className="check" key={number}>
            <input type="radio" name="team" value={number} defaultChecked={number === suggested} />
            <span>
              <span translate="no">{name}</span>{" "}
              <span className="small ink2 num">{texts.playersIn(membersCount)}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
