import { Link } from "react-router";
import type { ScoreView } from "#src/leaderboard/schemas.ts";
import { useViewer } from "../context.ts";
import { Avatar } from "../ui/avatar.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Icon } from "../ui/icon.tsx";
import { formatChange, formatShare } from "../ui/money.ts";
import * as texts from "./leaderboard-texts.ts";
import type { Leaderboard } from "./load-leaders.ts";
import { formatRank, rankChangeText } from "./rank-texts.ts";
import { useMayLeaveSession } from "./scope.tsx";

/** Players by rank. The viewer's own row is added where it is not on this page. */
export function ScoreTable({ leaderboard: { scores, me, totalCount } }: { leaderboard: Leaderboard }) {
  const viewer = useViewer();
  const linked = useMayLeaveSession();
  if (scores.length === 0) return <NoScores />;
  const onOtherPage = me !== null && !scores.some((score) => score.userId === me.userId);
  return (
    <section className="panel scores">
      <table className="table">
        <caption className="vh">{texts.playersByRank(totalCount)}</caption>
        <thead>
          <tr>
            <th scope="col">{texts.rank}</th>
            <th scope="col">{texts.player}</th>
            <th scope="col" className="end">
              {texts.won}
            </th>
            <th scope="col" className="end">
              {texts.lost}
            </th>
            <th scope="col" className="end only-desktop">
              {texts.accuracy}
            </th>
            <th scope="col" className="end">
              {texts.net}
            </th>
          </tr>
        </thead>
        <tbody>
          {scores.map((score) => (
            <Row key={score.userId} score={score} mine={score.userId === viewer?.id} linked={linked} />
          ))}
          {onOtherPage ? <Row score={me} mine linked={linked} /> : null}
        </tbody>
      </table>
    </section>
  );
}

type RowProps = { score: ScoreView; mine: boolean; linked: boolean };

function Row({ score, mine, linked }: RowProps) {
  const name = mine ? texts.you(score.username) : score.username;
  return (
    <tr className={mine ? "me" : undefined}>
      <td className="num rank">{formatRank(score)}</td>
      <td>
        <span className="row">
          <span className="only-desktop">
            <Avatar name={score.username} avatar={score.avatar} />
          </span>
          <span className="names">
            <b className="clip" translate="no">
              {linked ? <Link to={`/leaderboard/${score.userId}`}>{name}</Link> : name}
            </b>
            <RankChange ranks={score.rankChange} />
          </span>
        </span>
      </td>
      <td className="end num strong">{score.wins}</td>
      <td className="end num">{score.losses}</td>
      <td className="end num only-desktop">{formatShare(score.accuracy, { digits: 0 })}</td>
      <td className="end num strong" translate="no">
        {formatChange(score.netCents)}
      </td>
    </tr>
  );
}

function RankChange({ ranks }: { ranks: number | null }) {
  if (!ranks)
    return (
      <span className="tiny muted">
        <span>{rankChangeText(ranks)}</span>
      </span>
    );
  return (
    <span className="tiny muted row nowrap change">
      <Icon name={ranks > 0 ? "up" : "down"} size="s" />
      <span>{rankChangeText(ranks)}</span>
    </span>
  );
}

function NoScores() {
  return (
    <section className="panel">
      <EmptyState icon="trophy" title={texts.noScoresYet}>
        <p>{texts.noScoresHint}</p>
      </EmptyState>
    </section>
  );
}
