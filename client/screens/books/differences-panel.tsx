import { Link } from "react-router";
import { formatCount } from "#client/base/format/count.ts";
import { useViewer } from "#client/base/page/context.ts";
import { Panel } from "#client/ui/page-layout.tsx";
import { Pill } from "#client/ui/pill.tsx";
import type { FindingRow, FindingView } from "#src/books/schemas.ts";
import * as texts from "./books-texts.ts";
import { titleOf } from "./checks-panel.tsx";

/** The differences that the checks have found. Hidden where there are none. */
export function DifferencesPanel({ findings }: { findings: readonly FindingView[] }) {
  const differing = findings.filter(({ bad }) => bad !== 0);
  if (differing.length === 0) return null;
  return (
    <Panel title={texts.differences}>
      <ul className="list">
        {differing.map((finding) => (
          <li key={finding.name}>
            <div className="grow">
              <b className="small">{titleOf(finding.name)}</b>
              <Rows finding={finding} />
            </div>
            <Pill icon="warning" tone="bad">
              {formatCount(finding.bad)}
            </Pill>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** The first rows that differ. The number beside them counts all. */
function Rows({ finding: { name, rows } }: { finding: FindingView }) {
  if (rows.length === 0) {
    return <p className="tiny ink2">{texts.repairs[name] ?? texts.noRowsHint}</p>;
  }
  return (
    <ul>
      {rows.map((row) => (
        <li key={row.label} className="tiny ink2">
          <Subject row={row} />: {row.detail}
        </li>
      ))}
    </ul>
  );
}

function Subject({ row }: { row: FindingRow }) {
  const path = usePathTo(row);
  return path === null ? row.label : <Link to={path}>{row.label}</Link>;
}

/** The page that shows a row: its call's receipt, its event's settlement or its player. Operators may open events only. */
function usePathTo({ sessionSlug, eventId, callId, userId }: FindingRow): string | null {
  const isAdmin = useViewer()?.roles.includes("admin") ?? false;
  if (isAdmin && sessionSlug !== null && callId !== null) return `/sessions/${sessionSlug}/history/${callId}`;
  if (sessionSlug !== null && eventId !== null) return `/sessions/${sessionSlug}/events/${eventId}`;
  return isAdmin && userId !== null ? `/users/${userId}` : null;
}
