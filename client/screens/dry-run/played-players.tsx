import { formatMoney } from "#client/base/format/money.ts";
import type { Column } from "#client/ui/table.tsx";
import type { ShownReport } from "#src/dry-runs/schemas.ts";
import * as texts from "./dry-run-texts.ts";
import { FoldedPanel } from "./folded-panel.tsx";
import { WideTable } from "./wide-table.tsx";

const columns: readonly Column<ShownReport["players"][number]>[] = [
  { head: texts.player, cell: ({ player }) => player, cellClass: "num" },
  {
    head: texts.won,
    cell: ({ wonCount, callsCount }) => texts.ofCalls(wonCount, callsCount),
    cellClass: "num",
  },
  {
    head: texts.wagered,
    cell: ({ wageredCents }) => formatMoney(wageredCents),
    end: true,
    cellClass: "num",
  },
  {
    head: texts.balance,
    cell: ({ balanceCents }) => formatMoney(balanceCents),
    end: true,
    cellClass: "num",
  },
];

/** What the show was for each player. */
export function PlayedPlayers({ report: { players } }: { report: ShownReport }) {
  return (
    <FoldedPanel title={texts.playersOf(players.length)}>
      <WideTable label={texts.playersTitle} columns={columns} rows={players} keyOf={({ player }) => player} />
    </FoldedPanel>
  );
}
