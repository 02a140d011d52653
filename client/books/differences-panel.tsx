import { Link } from "react-router";
import type { FindingRow, FindingView } from "#src/books/schemas.ts";
import { useViewer } from "../context.ts";
import { formatCount } from "../ui/count.ts";
import { Panel } from "../ui/page-layout.tsx";
import { Pill } from "../ui/pill.tsx";
import { nameOf } from "./checks-panel.tsx";

/** What the checks have found, row by row. Nothing where all is in balance. */
export function DifferencesPanel({ findings }: { findings: readonly FindingView[] }) {
  const differing = findings.filter(({ bad }) => bad !== 0);
  if (differing.length === 0) return null;
  return (
    <Panel title="Differences">
      <ul className="list">
        {differing.map((finding) => (
          <li key={finding.name}>
            <div className="grow">
              <b className="small">{nameOf(finding.name)}</b>
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

/** The first of what a check has found; the number beside it counts all. */
function Rows({ finding: { name, rows } }: { finding: FindingView }) {
  if (rows.length === 0) {
    return <p className="tiny ink2">{cures[name] ?? "It only adds up: no row can be named."}</p>;
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

const scoresCure = "“bun run reconcile --repair-scores” counts them anew from the calls.";
const cures: Record<string, string> = {
  "results that the calls do not say": scoresCure,
  "scores that the calls do not say": scoresCure,
};

function Subject({ row }: { row: FindingRow }) {
  const path = usePathTo(row);
  return path === null ? row.label : <Link to={path}>{row.label}</Link>;
}

/** Where a row can be looked at: its call's receipt, its event's settlement, or its player. Operators may only open events. */
function usePathTo({ sessionSlug, eventId, callId, userId }: FindingRow): string | null {
  const isAdmin = useViewer()?.roles.includes("admin") ?? false;
  if (isAdmin && sessionSlug !== null && callId !== null) return `/sessions/${sessionSlug}/history/${callId}`;
  if (sessionSlug !== null && eventId !== null) return `/sessions/${sessionSlug}/events/${eventId}`;
  return isAdmin && userId !== null ? `/users/${userId}` : null;
}
