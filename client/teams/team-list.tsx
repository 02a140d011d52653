// Decision: the sheet and the end of the Action page have rows of their own. Code that their late chunks shared with this one would come with
// the first load: it is too small for a chunk of its own (client/build/bundle-scripts.ts).

import { Form } from "react-router";
import * as words from "#client/base/format/words.ts";
import { say } from "#src/http/contract.ts";
import type { TeamsAnswer, TeamView } from "#src/play/teams/schemas.ts";
import { countOf } from "../base/format/count.ts";
import { formatChange } from "../base/format/money.ts";
import { formatRank } from "../leaderboard/rank-texts.ts";
import { CsrfField } from "../ui/csrf-field.tsx";

/** The teams by rank, each with its players and its score, and a button to join it while the viewer may choose. */
function TeamList({ answer: { teams, mine, changeable } }: { answer: TeamsAnswer }) {
  return (
    <ol className="list" aria-label={words.teams}>
      {teams.map((team) => (
        <Row
          key={team.number}
          team={team}
          mine={team.number === mine}
          offered={changeable && team.number !== mine}
        />
      ))}
    </ol>
  );
}

function Row({ team, mine, offered }: { team: TeamView; mine: boolean; offered: boolean }) {
  const { number, name, membersCount, scoreCents } = team;
  return (
    <li className={mine ? "dense me" : "dense"}>
      <b className="rank num">{formatRank(team)}</b>
      <span className="grow">
        <span className={mine ? "clip strong" : "clip"} translate="no">
          {mine ? say`${name} (yours)` : name}
        </span>
        <span className="tiny ink2 num">{countOf(membersCount, "player")}</span>
      </span>
      <span className="num small strong" translate="no">
        {formatChange(scoreCents)}
      </span>
      {offered ? (
        <button className="btn sm" type="submit" name="number" value={number} aria-label={`Join ${name}`}>
          {words.join}
        </button>
      ) : null}
    </li>
  );
}

export const CHOOSE_TEAM = "choose_team";

/** The teams of a session on a page, as a form that works without JavaScript too. */
export function TeamsPanel({ answer }: { answer: TeamsAnswer }) {
  return (
    <Form className="panel" method="post" aria-label={words.teams} preventScrollReset>
      <header>
        <h2>{words.teams}</h2>
        <span className="push small ink2">Score</span>
      </header>
      <CsrfField />
      <input type="hidden" name="intent" value={CHOOSE_TEAM} />
      <TeamList answer={answer} />
      <p className="body small ink2">
        <span>
          The score is what a team has won, divided by its players and five more. So a small team and a large
          one have the same chances.
        </span>{" "}
        {answer.changeable ? <span>{words.teamChangeHint}</span> : null}
      </p>
    </Form>
  );
}
