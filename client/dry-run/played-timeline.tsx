import type { ShownReport } from "#src/dry-runs/schemas.ts";
import { formatLength } from "../blueprints/plan-times.ts";
import * as texts from "./dry-run-texts.ts";
import { FoldedPanel } from "./folded-panel.tsx";
import { WideTable } from "./wide-table.tsx";

/** Everything that happened, in the order of time. */
export function PlayedTimeline({ report: { timeline, events } }: { report: ShownReport }) {
  return (
    <FoldedPanel title={texts.everything(timeline.length)}>
      <WideTable label={texts.happened}>
        <thead>
          <tr>
            <th scope="col">{texts.time}</th>
            <th scope="col">{texts.happened}</th>
            <th scope="col">{texts.action}</th>
          </tr>
        </thead>
        <tbody>
          {timeline.map(({ atMs, what, event }) => (
            <tr key={`${atMs} ${what} ${event ?? ""}`}>
              <td className="num">{formatLength(atMs / 1_000)}</td>
              <td>{texts.kinds[what]}</td>
              <td>
                {event === null ? texts.session : texts.numbered(event, events[event - 1]?.title ?? "")}
              </td>
            </tr>
          ))}
        </tbody>
      </WideTable>
    </FoldedPanel>
  );
}
