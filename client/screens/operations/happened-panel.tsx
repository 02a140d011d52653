import { Fragment } from "react";
import { Link, useSearchParams } from "react-router";
import { formatClock, formatDate } from "#client/base/format/time-format.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import { Icon, type IconName } from "#client/ui/icon.tsx";
import { Panel } from "#client/ui/page-layout.tsx";
import { switchLabel, TURN_OFF_ACTION, TURN_ON_ACTION } from "#src/base/switches/contract.ts";
import { say } from "#src/http/contract.ts";
import { checkTitles } from "#src/operate/checks/contract.ts";
import { HAPPENED_DAYS, queueTitle } from "#src/operate/operations/contract.ts";
import type { OperationsView, ShowView, StartView, SwitchView } from "#src/operate/operations/schemas.ts";
import { lateTime } from "./work-panels.tsx";

const switchTexts: Readonly<Record<string, (name: string) => string>> = {
  pause_queue: (name) => `The queue “${queueTitle(name)}” was paused`,
  resume_queue: (name) => `The queue “${queueTitle(name)}” was resumed`,
  retry_jobs: (name) => `Failed jobs of “${queueTitle(name)}” were run again`,
  [TURN_OFF_ACTION]: (name) => `“${switchLabel(name)}” was turned off for the whole site`,
  [TURN_ON_ACTION]: (name) => `“${switchLabel(name)}” was turned on for the whole site`,
  create_webhook: (name) => say`The webhook ${name} was created`,
  change_webhook: (name) => say`The webhook ${name} was changed`,
  disable_webhook: (name) => say`The webhook ${name} was switched off after a day of failures`,
  delete_webhook: (name) => say`The webhook ${name} was deleted`,
  rotate_webhook_secret: (name) => say`The webhook ${name} got a new secret`,
};

type Happened = { at: string; icon: IconName; text: string; path?: string | undefined };

/** The evening: faults, releases and starts of processes, what was switched, shows that began and ended. The newest first, by pages. */
export function HappenedPanel({ operations }: { operations: OperationsView }) {
  const [search] = useSearchParams();
  const zone = useTimeZone();
  const rows = linesOf(operations, readBefore(search));
  const { olderBefore = null } = operations;
  const days = rows.map(({ at }) => formatDate(at, zone));
  return (
    <div className="happened" id="happened">
      <Panel title="What has happened" aside={zone.replaceAll("_", " ")}>
        {rows.length === 0 ? <p className="body ink2 small">Nothing is on record.</p> : null}
        <ol className="list">
          {rows.map(({ at, icon, text, path }, index) => (
            <Fragment key={`${at} ${text}`}>
              {days[index] === days[index - 1] ? null : <li className="day small ink2">{days[index]}</li>}
              <li className="dense small">
                <time className="ink2" dateTime={at}>
                  {formatClock(at, zone)}
                </time>
                <Icon name={icon} size="s" />
                <span className="grow">{path === undefined ? text : <Link to={path}>{text}</Link>}</span>
              </li>
            </Fragment>
          ))}
        </ol>
        <p className="body row wrap small">
          {search.has("before") ? <Page label="Newest" /> : null}
          {olderBefore === null ? (
            `Nothing is listed from over ${HAPPENED_DAYS} days ago.`
          ) : (
            <Page label="Older" before={olderBefore} />
          )}
        </p>
      </Panel>
    </div>
  );
}

function Page({ label, before }: { label: string; before?: string }) {
  const search = before === undefined ? "" : `?before=${encodeURIComponent(before)}`;
  return (
    <Link className="btn sm" to={{ pathname: "/admin", search, hash: "happened" }} preventScrollReset>
      {label}
    </Link>
  );
}

/** The moment that the address names, before which everything shown has happened; undefined: it names none. */
export function readBefore(search: URLSearchParams): string | undefined {
  const before = new Date(search.get("before") ?? "");
  return Number.isNaN(before.getTime()) ? undefined : before.toISOString();
}

function linesOf(operations: OperationsView, before = "9"): Happened[] {
  const { troubles = [], pastTroubles = [], starts, switches = [], shows = [], olderBefore } = operations;
  return [
    ...[...troubles, ...pastTroubles].map((fault) => lineOfFault(fault, operations.serverTime)),
    ...linesOfStarts(starts),
    ...switches.map(lineOfSwitch),
    ...shows.map(lineOfShow),
  ]
    .filter(({ at }) => at < before && at >= (olderBefore ?? ""))
    .toSorted((one, other) => other.at.localeCompare(one.at));
}

type Fault = { what: string; process: string | null; since: string; endedAt?: string };

function lineOfFault({ what, process, since, endedAt }: Fault, now: string): Happened {
  const where = process === null ? "" : `: ${process}`;
  const lasted = lateTime(Date.parse(endedAt ?? now) - Date.parse(since));
  const text = `${checkTitles[what] ?? what}${where}, for ${lasted}${endedAt === undefined ? " so far" : ""}`;
  return { at: since, icon: "warning", text };
}

const TOGETHER_MS = 60_000;

/** Whether a start and the one before it were within a minute, with the same release: all processes get one, and one that crashes starts often. */
const isTogether = (newer: StartView | undefined, older: StartView) =>
  newer !== undefined &&
  newer.release === older.release &&
  Date.parse(newer.startedAt) - Date.parse(older.startedAt) < TOGETHER_MS;

/** What has started together is one line. */
function linesOfStarts(starts: readonly StartView[]): Happened[] {
  const firsts = [...starts.keys()].filter((index) => {
    const start = starts[index];
    return start !== undefined && !isTogether(starts[index - 1], start);
  });
  return firsts.map((first, line) => {
    const of = starts.slice(first, firsts[line + 1]);
    const names = of.map(({ process }) => process);
    const who = [...new Set(names)].map((name) => {
      const times = names.filter((each) => each === name).length;
      return times === 1 ? name : `${name} (${times} times)`;
    });
    const { release = null, startedAt: at = "" } = of[0] ?? {};
    const before = starts[firsts[line + 1] ?? starts.length];
    const isNew = before !== undefined && release !== null && release !== before.release;
    const text = isNew
      ? `New release ${release}`
      : `Started${release === null ? "" : ` with release ${release}`}`;
    return { at, icon: isNew ? "up" : "bolt", text: `${text}: ${who.join(", ")}` };
  });
}

function lineOfSwitch({ action, name, at }: SwitchView): Happened {
  const text = switchTexts[action]?.(name) ?? `${action.replaceAll("_", " ")} ${name}`.trim();
  return { at, icon: "info", text };
}

function lineOfShow({ name, slug, what, at }: ShowView): Happened {
  const did = what === "began" ? "has begun" : "has ended";
  const text = name === null ? `A private session ${did}` : say`“${name}” ${did}`;
  return {
    at,
    icon: what === "began" ? "eye" : "tick",
    text,
    path: slug === null ? undefined : `/sessions/${slug}`,
  };
}
