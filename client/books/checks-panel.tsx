import { Link } from "react-router";
import type { FindingRow, FindingView } from "#src/books/contract.ts";
import { useViewer } from "../context.ts";
import { countOf, formatCount } from "../ui/count.ts";
import { Panel } from "../ui/page-layout.tsx";
import { Pill } from "../ui/pill.tsx";

/** Every check of the books; those that differ come first, with what is wrong. */
export function ChecksPanel({ findings }: { findings: readonly FindingView[] }) {
  const sorted = findings.toSorted((a, b) => Number(b.bad !== 0) - Number(a.bad !== 0));
  return (
    <Panel title="Checks" aside={countOf(findings.length, "check")}>
      <ul className="list">
        {sorted.map((finding) => (
          <li key={finding.name} className="dense">
            <div className="grow">
              <span className={finding.bad === 0 ? "small" : "small strong"}>{sentence(finding.name)}</span>
              {finding.bad === 0 ? null : <Rows finding={finding} />}
            </div>
            {finding.bad === 0 ? (
              <Pill icon="tick" tone="ok">
                In balance
              </Pill>
            ) : (
              <Pill icon="warning" tone="bad">
                {formatCount(finding.bad)}
              </Pill>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** The first of what a check has found; the number beside it counts all. */
function Rows({ finding: { name, rows } }: { finding: FindingView }) {
  if (rows.length === 0)
    return <p className="tiny ink2">{cures[name] ?? "It only adds up: no row can be named."}</p>;
  return (
    <ul className="stack">
      {rows.map((row) => (
        <li key={row.label} className="tiny ink2">
          <Subject row={row} />: {row.detail}
        </li>
      ))}
    </ul>
  );
}

const scoresCure = "“bun run reconcile --mend-scores” counts them anew from the calls.";
const cures: Record<string, string> = {
  "results that the calls do not say": scoresCure,
  "scores that the calls do not say": scoresCure,
};

function Subject({ row }: { row: FindingRow }) {
  const path = usePathTo(row);
  return path === null ? row.label : <Link to={path}>{row.label}</Link>;
}

/** Where a row can be looked at: its call's receipt, its event's settlement, or its player. What only admins may open is no link to others. */
function usePathTo({ sessionSlug, eventId, callId, userId }: FindingRow): string | null {
  const isAdmin = useViewer()?.roles.includes("admin") ?? false;
  if (isAdmin && sessionSlug !== null && callId !== null) return `/sessions/${sessionSlug}/history/${callId}`;
  if (sessionSlug !== null && eventId !== null) return `/sessions/${sessionSlug}/events/${eventId}`;
  return isAdmin && userId !== null ? `/users/${userId}` : null;
}

function sentence(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
