import type { ReplayLeaders } from "#src/replays/contract.ts";
import { formatChange } from "../ui/money.ts";
import { Panel } from "../ui/page-layout.tsx";
import * as texts from "./replay-texts.ts";

type LeadersProps = { leaders: ReplayLeaders; names: ReadonlyMap<number, string> };

/** The leaderboard at a moment: as many players as were broadcast. */
export function LeadersTable({ leaders: { leaders, totalCount }, names }: LeadersProps) {
  return (
    <Panel title={texts.leaders}>
      {leaders.length === 0 ? (
        <p className="body ink2">{texts.noLeaders}</p>
      ) : (
        <table className="table">
          <caption className="vh">{texts.leadersCaption(totalCount)}</caption>
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
              <th scope="col" className="end">
                {texts.net}
              </th>
            </tr>
          </thead>
          <tbody>
            {leaders.map(({ userId, rank, tied, wins, losses, netCents }) => (
              <tr key={userId}>
                <td className="num">{texts.rankOf(rank, tied)}</td>
                <th scope="row" className="wrap-anywhere">
                  {names.get(userId) ?? texts.formerPlayer}
                </th>
                <td className="end num">{wins}</td>
                <td className="end num">{losses}</td>
                <td className="end num">{formatChange(netCents)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}
