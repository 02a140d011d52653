import { formatClock } from "#client/base/format/time-format.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import { describeLine } from "#client/running-order/describe-line.ts";
import { Panel } from "#client/ui/page-layout.tsx";
import { say } from "#src/http/contract.ts";
import type { AuditLineView } from "#src/show/sessions/schemas.ts";
import { useShow } from "./show-context.ts";

const auditText = "Audit";

/** The latest act of a person: announced to screen readers, and visible where the audit is not. */
export function LatestAct() {
  const newest = useShow().audit.find(({ actor }) => actor !== null);
  return (
    <p className="last-word small ink2" role="status">
      {newest === undefined ? "" : say`${describeLine(newest)} ${newest.subject.title ?? ""}`}
    </p>
  );
}

/** Who did what, newest first. */
export function AuditPanel() {
  const { audit } = useShow();
  return (
    <Panel title={auditText}>
      {/* The list scrolls and contains nothing focusable, so it needs a tab stop of its own. */}
      <ol className="audit" aria-label={auditText} tabIndex={0}>
        {audit.map((line) => (
          <Line key={line.id} line={line} />
        ))}
      </ol>
    </Panel>
  );
}

function Line({ line }: { line: AuditLineView }) {
  const { at, reason } = line;
  const { title } = line.subject;
  return (
    <li>
      <time className="tiny muted num" dateTime={at}>
        {formatClock(at, useTimeZone())}
      </time>
      <span>
        <span>{describeLine(line)}</span>
        {title === null ? null : <span className="ink2">{` ${title}`}</span>}
        {reason === null || reason === "" ? null : <span className="reason tiny muted">{reason}</span>}
      </span>
    </li>
  );
}
