import type { ShownReport } from "#src/dry-runs/schemas.ts";
import { formatLength } from "../blueprints/plan-times.ts";
import { formatMoney } from "../ui/money.ts";
import { Panel } from "../ui/page-layout.tsx";
import * as texts from "./dry-run-texts.ts";
import { WideTable } from "./wide-table.tsx";

type Played = ShownReport["events"][number];

/** What came of each action: its times, its result and its pool. */
export function PlayedActions({ report: { events } }: { report: ShownReport }) {
  return (
    <Panel title={texts.actions}>
      <WideTable label={texts.actions}>
        <thead>
          <tr>
            <th scope="col">{texts.action}</th>
            <th scope="col">{texts.openTime}</th>
            <th scope="col">{texts.result}</th>
            <th scope="col">{texts.trueSide}</th>
            <th scope="col">{texts.falseSide}</th>
            <th scope="col" className="end">
              {texts.lateColumn}
            </th>
          </tr>
        </thead>
        <tbody>
          {events.map((played) => (
            <ActionRow key={played.event} played={played} />
          ))}
        </tbody>
      </WideTable>
    </Panel>
  );
}

function ActionRow({ played }: { played: Played }) {
  const { event, title, openedAtMs, closedAtMs, result, lateCount } = played;
  return (
    <tr>
      <td className="strong">{texts.numbered(event, title)}</td>
      <td className="num">{openText(openedAtMs, closedAtMs)}</td>
      <td>{resultText(played, result)}</td>
      <SideCell side={played.true} />
      <SideCell side={played.false} />
      <td className="end num">{lateCount}</td>
    </tr>
  );
}

function resultText({ trueLabel, falseLabel }: Played, result: Played["result"]): string {
  if (result === null) return texts.none;
  const labels = { true: trueLabel, false: falseLabel, void: texts.results.void };
  return labels[result];
}

function SideCell({ side: { wageredCents, callsCount } }: { side: Played["true"] }) {
  return (
    <td className="num">
      {formatMoney(wageredCents)}
      <br />
      <span className="tiny ink2">{texts.callsOn(callsCount)}</span>
    </td>
  );
}

function openText(openedAtMs: number | null, closedAtMs: number | null): string {
  if (openedAtMs === null || closedAtMs === null) return texts.none;
  return texts.fromTo(formatLength(openedAtMs / 1_000), formatLength(closedAtMs / 1_000));
}
