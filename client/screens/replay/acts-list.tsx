import { formatClock } from "#client/base/format/time-format.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import { describeLine } from "#client/running-order/describe-line.ts";
import { Panel } from "#client/ui/page-layout.tsx";
import type { ReplayState } from "#src/replays/contract.ts";
import * as texts from "./replay-texts.ts";

/** The latest acts of people and timers at a moment, newest first. */
export function ActsList({ state: { acts, events } }: { state: ReplayState }) {
  const zone = useTimeZone();
  const titles = new Map(events.map(({ id, title }) => [id, title]));
  return (
    <Panel title={texts.audit}>
      {acts.length === 0 ? (
        <p className="body ink2">{texts.nothingDone}</p>
      ) : (
        <ol className="replay-acts small">
          {acts.map(({ id, at, actor, action, after, subject, reason }) => (
            <li key={id}>
              <time className="tiny muted num" dateTime={at}>
                {formatClock(at, zone)}
              </time>
              <span className="wrap-anywhere">
                {describeLine({ actor, action, after })}
                {subject.type === "event" ? (
                  <span className="ink2">{` ${titles.get(subject.id) ?? ""}`}</span>
                ) : null}
                {reason === null || reason === "" ? null : (
                  <span className="tiny muted reason"> {reason}</span>
                )}
              </span>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}
