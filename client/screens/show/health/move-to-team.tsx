import { useState } from "react";
import { useApi } from "#client/base/page/context.ts";
import { sessionPath } from "#client/sessions/load-session.ts";
import type { FoundPlayer } from "#src/operate/health/schemas.ts";
import { useShow } from "../show-context.ts";
import * as texts from "../texts/health-texts.ts";

type MoveToTeamProps = { player: Pick<FoundPlayer, "id" | "username" | "registered" | "team"> };

/** Moves a player to the team that is chosen. Nothing for a player who is not in the session, and where it has no teams. */
export function MoveToTeam({ player: { id, username, registered, team } }: MoveToTeamProps) {
  const api = useApi();
  const { slug, settings, state } = useShow().session;
  const [chosen, setChosen] = useState(team);
  const [failed, setFailed] = useState(false);
  if (!registered || !("teams" in settings) || settings.teams.length === 0) return null;
  const move = (number: number) => {
    const before = chosen;
    setChosen(number);
    setFailed(false);
    api.put(`${sessionPath(slug)}/players/${id}/team`, { team: { number } }).then(
      () => undefined,
      () => {
        setChosen(before);
        setFailed(true);
      },
    );
  };
  return (
    <p className="row wrap">
      <select
        className="input sm"
        aria-label={texts.teamOf(username)}
        value={chosen ?? ""}
        disabled={state === "stopped"}
        onChange={({ currentTarget }) => move(Number(currentTarget.value))}
      >
        {chosen === null ? <option value="">{texts.noTeam}</option> : null}
        {settings.teams.map((name, index) => (
          <option key={name} value={index + 1}>
            {name}
          </option>
        ))}
      </select>
      {failed ? (
        <span className="tiny bad" role="alert">
          {texts.notMoved}
        </span>
      ) : null}
    </p>
  );
}
