import type { ShownReport } from "#src/dry-runs/schemas.ts";
import { Panel } from "../ui/page-layout.tsx";
import * as texts from "./dry-run-texts.ts";

/** What would feel rushed, action by action. */
export function RushedPanel({ report: { rushed, events } }: { report: ShownReport }) {
  return (
    <Panel title={texts.rushedTitle} aside={texts.rushedCount(rushed.length)}>
      {rushed.length === 0 ? (
        <p className="body">{texts.nothingRushed}</p>
      ) : (
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{texts.action}</th>
              <th scope="col">{texts.what}</th>
            </tr>
          </thead>
          <tbody>
            {rushed.map(({ rule, event, measured, wanted }) => (
              <tr key={`${rule} ${event}`}>
                <td className="strong">{texts.numbered(event, events[event - 1]?.title ?? "")}</td>
                <td>{texts.rushed[rule](measured, wanted)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}
