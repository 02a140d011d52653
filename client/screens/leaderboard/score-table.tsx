import { Link } from "react-router";
import { formatChange, formatShare } from "#client/base/format/money.ts";
import { useViewer } from "#client/base/page/context.ts";
import { formatRank, rankChangeText } from "#client/leaderboard/rank-texts.ts";
import { Avatar } from "#client/ui/avatar.tsx";
import { EmptyState } from "#client/ui/empty-state.tsx";
import { Icon } from "#client/ui/icon.tsx";
import { type Column, Table } from "#client/ui/table.tsx";
import type { ScoreView } from "#src/play/leaderboard/schemas.ts";
import * as texts from "./leaderboard-texts.ts";
import type { Leaderboard } from "./load-leaders.ts";
import { useMayLeaveSession } from "./scope.tsx";

/** Players by rank. The viewer's own row is added where it is not on this page. */
export function ScoreTable({ leaderboard: { scores, me, totalCount } }: { leaderboard: Leaderboard }) {
  const viewer = useViewer();
  const linked = useMayLeaveSession();
  if (scores.length === 0) return <NoScores />;
  const rows = me === null || scores.some(({ userId }) => userId === me.userId) ? scores : [...scores, me];
  const isMine = ({ userId }: ScoreView) => userId === viewer?.id || userId === me?.userId;
  const columns: readonly Column<ScoreView>[] = [
    { head: texts.rank, cell: formatRank, cellClass: "num rank" },
    {
      head: texts.player,
      cell: (score) => <Player score={score} mine={isMine(score)} linked={linked} />,
    },
    { head: texts.won, cell: ({ wins }) => wins, end: true, cellClass: "num strong" },
    { head: texts.lost, cell: ({ losses }) => losses, end: true, cellClass: "num" },
    {
      head: texts.accuracy,
      cell: ({ accuracy }) => formatShare(accuracy, { digits: 0 }),
      end: true,
      cellClass: "num",
      className: "only-desktop",
    },
    {
      head: texts.net,
      cell: ({ netCents }) => formatChange(netCents),
      end: true,
      cellClass: "num strong",
      verbatim: true,
    },
  ];
  return (
    <section className="panel scores">
      <Table
        caption={texts.playersByRank(totalCount)}
        columns={columns}
        rows={rows}
        keyOf={({ userId }) => userId}
        rowClass={(score) => (isMine(score) ? "me" : undefined)}
      />
    </section>
  );
}

type PlayerProps = { score: ScoreView; mine: boolean; linked: boolean };

function Player({ score: { userId, username, avatar, rankChange }, mine, linked }: PlayerProps) {
  const name = mine ? texts.you(username) : username;
  return (
    <span className="row">
      <span className="only-desktop">
        <Avatar name={username} avatar={avatar} />
      </span>
      <span className="names">
        <b className="clip" translate="no">
          {linked ? <Link to={`/leaderboard/${userId}`}>{name}</Link> : name}
        </b>
        <RankChange ranks={rankChange} />
      </span>
    </span>
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
