import { formatChange } from "#client/base/format/money.ts";
import { Panel } from "#client/ui/page-layout.tsx";
import { type Column, Table } from "#client/ui/table.tsx";
import type { ReplayLeaders } from "#src/replays/contract.ts";
import * as texts from "./replay-texts.ts";

type Leader = ReplayLeaders["leaders"][number];
type LeadersProps = { leaders: ReplayLeaders; names: ReadonlyMap<number, string> };

/** The leaderboard at a moment: the teams if there are some, and as many players as were broadcast. */
export function LeadersTable({ leaders: { leaders, teams = [], totalCount }, names }: LeadersProps) {
  const columns: readonly Column<Leader>[] = [
    { head: texts.rank, cell: ({ rank, tied }) => texts.rankOf(rank, tied), cellClass: "num" },
    {
      head: texts.player,
      cell: ({ userId }) => names.get(userId) ?? texts.formerPlayer,
      namesRow: true,
      cellClass: "wrap-anywhere",
    },
    { head: texts.won, cell: ({ wins }) => wins, end: true, cellClass: "num" },
    { head: texts.lost, cell: ({ losses }) => losses, end: true, cellClass: "num" },
    { head: texts.net, cell: ({ netCents }) => formatChange(netCents), end: true, cellClass: "num" },
  ];
  return (
    <>
      {teams.length === 0 ? null : <TeamsTable teams={teams} />}
      <Panel title={texts.leaders}>
        {leaders.length === 0 ? (
          <p className="body ink2">{texts.noLeaders}</p>
        ) : (
          <Table
            caption={texts.leadersCaption(totalCount)}
            columns={columns}
            rows={leaders}
            keyOf={({ userId }) => userId}
          />
        )}
      </Panel>
    </>
  );
}

/** The teams at a moment, if the session has some. */
function TeamsTable({ teams }: { teams: NonNullable<ReplayLeaders["teams"]> }) {
  const columns: readonly Column<(typeof teams)[number]>[] = [
    { head: texts.rank, cell: ({ rank, tied }) => texts.rankOf(rank, tied), cellClass: "num" },
    {
      head: texts.team,
      cell: ({ name }) => name,
      namesRow: true,
      cellClass: "wrap-anywhere",
      verbatim: true,
    },
    { head: texts.players, cell: ({ playersCount }) => playersCount, end: true, cellClass: "num" },
    { head: texts.score, cell: ({ scoreCents }) => formatChange(scoreCents), end: true, cellClass: "num" },
  ];
  return (
    <Panel title={texts.teams}>
      <Table columns={columns} rows={teams} keyOf={({ number }) => number} />
    </Panel>
  );
}
