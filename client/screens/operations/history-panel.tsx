import { Panel } from "#client/ui/page-layout.tsx";
import { Pill } from "#client/ui/pill.tsx";
import { Moment } from "#client/ui/time.tsx";
import { troubleTitles } from "#src/operate/operations/contract.ts";
import type { OperationsView } from "#src/operate/operations/schemas.ts";
import { lateTime } from "./late-words.ts";
import * as texts from "./trouble-texts.ts";

const SHOWN_MAX = 15;

type Happened = { at: string; text: string; isRelease?: boolean };

/** What has happened lately, the newest first: starts and releases, what was switched, what was wrong and is over. */
export function HistoryPanel({ operations }: { operations: OperationsView }) {
  const all = [...startsOf(operations), ...switchesOf(operations), ...oversOf(operations)]
    .toSorted((one, other) => other.at.localeCompare(one.at))
    .slice(0, SHOWN_MAX);
  return (
    <Panel title={texts.happened}>
      {all.length === 0 ? <p className="body ink2 small">{texts.nothingHappened}</p> : null}
      <ul className="list">
        {all.map(({ at, text, isRelease = false }) => (
          <li key={`${at} ${text}`} className="dense">
            <span className="grow small">
              {text}
              {isRelease ? (
                <Pill icon="up" tone="outline">
                  {texts.newRelease}
                </Pill>
              ) : null}
            </span>
            <span className="push small ink2">
              <Moment at={at} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** A process whose release is another one than that of the start before it says so. */
function startsOf({ starts }: OperationsView): Happened[] {
  return starts.map(({ process, pid, release = null, startedAt }, index) => {
    const before = starts[index + 1]?.release ?? null;
    return {
      at: startedAt,
      text: release === null ? texts.started(process, pid) : texts.startedWith(process, pid, release),
      isRelease: release !== null && before !== null && release !== before,
    };
  });
}

function switchesOf({ switches = [] }: OperationsView): Happened[] {
  return switches.map(({ action, name, at }) => ({
    at,
    text: texts.switchTexts[action]?.(name) ?? texts.otherSwitch(action, name),
  }));
}

function oversOf({ pastTroubles = [] }: OperationsView): Happened[] {
  return pastTroubles.map(({ what, process, since, endedAt }) => {
    const title = troubleTitles[what] ?? what;
    const where = process === null ? title : `${title} (${process.split(" ")[0]})`;
    return { at: endedAt, text: texts.over(where, lateTime(Date.parse(endedAt) - Date.parse(since))) };
  });
}
