import type { ShownReport } from "#src/dry-runs/schemas.ts";
import { formatMoney } from "../ui/money.ts";
import * as texts from "./dry-run-texts.ts";
import { FoldedPanel } from "./folded-panel.tsx";
import { WideTable } from "./wide-table.tsx";

/** What the show was for each player. */
export function PlayedPlayers({ report: { players } }: { report: ShownReport }) {
  return (
    <FoldedPanel title={texts.playersOf(players.length)}>
      <WideTable label={texts.playersTitle}>
        <thead>
          <tr>
            <th scope="col">{texts.player}</th>
            <th scope="col">{texts.won}</th>
            <th scope="col" className="end">
              {texts.wagered}
            </th>
            <th scope="col" className="end">
              {texts.balance}
            </th>
          </tr>
        </thead>
        <tbody>
          {players.map(({ player, wonCount, callsCount, wageredCents, balanceCents }) => (
            <tr key={player}>
              <td className="num">{player}</td>
              <td className="num">{texts.ofCalls(wonCount, callsCount)}</td>
              <td className="end num">{formatMoney(wageredCents)}</td>
              <td className="end num">{formatMoney(balanceCents)}</td>
            </tr>
          ))}
        </tbody>
      </WideTable>
    </FoldedPanel>
  );
}
