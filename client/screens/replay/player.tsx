import { type CSSProperties, useEffect, useMemo, useRef, useState } from "react";
import { countOf } from "#client/base/format/count.ts";
import { minutes } from "#client/base/format/countdown.ts";
import { formatChange } from "#client/base/format/money.ts";
import { formatClock, formatDate } from "#client/base/format/time-format.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import * as words from "#client/base/format/words.ts";
import { describeLine } from "#client/running-order/describe-line.ts";
import { Panel } from "#client/ui/page-layout.tsx";
import { type Column, Table } from "#client/ui/table.tsx";
import type { ReplayLeaders } from "#src/replays/schemas.ts";
import { ActionsTable, describeOnAir, listResults } from "./actions-table.tsx";
import { type Axis, createAxis } from "./axis.ts";
import { OnAir } from "./on-air.tsx";
import { countUntil, type ReplayState, type Timeline } from "./timeline.ts";

const rankOf = (place: number, tied: boolean) => (tied ? `=${place}` : String(place));

type PlayerProps = { timeline: Timeline; names: ReadonlyMap<number, string>; full: boolean };

const speeds = [1, 2, 4, 8, 16, 32] as const;

/** How often the position is looked at while it plays. Only whole seconds are shown. */
const TICK_MS = 125;

/** A replay that is loaded: its controls, and the session at the moment that they show. */
export function Player({ timeline, names, full }: PlayerProps) {
  const axis = useMemo(() => createAxis(timeline), [timeline]);
  const results = useMemo(() => listResults(timeline), [timeline]);
  const resultTimes = useMemo(
    () => results.map(({ atMs }) => axis.momentMs(axis.valueAt(atMs))),
    [axis, results],
  );
  const playback = usePlayback(axis);
  const zone = useTimeZone();
  const [announced, setAnnounced] = useState("");
  const atMs = axis.momentMs(playback.value);
  const state = useMemo(() => timeline.stateAt(atMs), [timeline, atMs]);
  const passed = countUntil(resultTimes, atMs);

  const jumpTo = (index: number) => {
    const result = results[index];
    const momentMs = resultTimes[index];
    if (result === undefined || momentMs === undefined) return;
    playback.seek(axis.valueAt(momentMs));
    const clock = formatClock(new Date(momentMs).toISOString(), zone);
    setAnnounced(`${clock}. ${result.title} ${result.label}`);
  };
  // Before the last one that has passed, not before this second: several results can have one second.
  const previousMs = resultTimes.findLast((each) => each < atMs);
  const previous = previousMs === undefined ? -1 : resultTimes.indexOf(previousMs);
  return (
    <>
      <Controls
        axis={axis}
        state={state}
        playback={playback}
        marks={resultTimes}
        passed={passed}
        onPrevious={previous < 0 ? null : () => jumpTo(previous)}
        onNext={passed >= results.length ? null : () => jumpTo(passed)}
      />
      <p className="vh" role="status">
        {announced}
      </p>
      <div className="split replay">
        <div className="stack wide">
          <OnAir state={state} atMs={atMs} />
          <ActionsTable events={state.events} full={full} />
        </div>
        <div className="stack wide">
          <LeadersTable leaders={state.leaders} names={names} />
          {full ? <ActsList state={state} /> : null}
        </div>
      </div>
    </>
  );
}

/** The latest acts of people and timers at a moment, newest first. */
function ActsList({ state: { acts, events } }: { state: ReplayState }) {
  const zone = useTimeZone();
  const titles = new Map(events.map(({ id, title }) => [id, title]));
  return (
    <Panel title="Who did what">
      {acts.length === 0 ? (
        <p className="body ink2">Nobody has done anything yet.</p>
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

type LeadersProps = { leaders: ReplayLeaders; names: ReadonlyMap<number, string> };

/** The leaderboard at a moment: the teams if there are some, and as many players as were broadcast. */
function LeadersTable({ leaders: { leaders, teams = [], totalCount }, names }: LeadersProps) {
  const columns: readonly Column<ReplayLeaders["leaders"][number]>[] = [
    { head: words.rank, cell: ({ rank, tied }) => rankOf(rank, tied), cellClass: "num" },
    {
      head: words.player,
      cell: ({ userId }) => names.get(userId) ?? "A former player",
      namesRow: true,
      cellClass: "wrap-anywhere",
    },
    { head: words.won, cell: ({ wins }) => wins, end: true, cellClass: "num" },
    { head: words.lost, cell: ({ losses }) => losses, end: true, cellClass: "num" },
    { head: words.net, cell: ({ netCents }) => formatChange(netCents), end: true, cellClass: "num" },
  ];
  return (
    <>
      {teams.length === 0 ? null : <TeamsTable teams={teams} />}
      <Panel title={words.leaders}>
        {leaders.length === 0 ? (
          <p className="body ink2">Nobody has a score yet.</p>
        ) : (
          <Table
            caption={`The first of ${countOf(totalCount, "player")} at this time`}
            columns={columns}
            rows={leaders}
            keyOf={({ userId }) => userId}
          />
        )}
      </Panel>
    </>
  );
}

function TeamsTable({ teams }: { teams: NonNullable<ReplayLeaders["teams"]> }) {
  const columns: readonly Column<(typeof teams)[number]>[] = [
    { head: words.rank, cell: ({ rank, tied }) => rankOf(rank, tied), cellClass: "num" },
    {
      head: "Team",
      cell: ({ name }) => name,
      namesRow: true,
      cellClass: "wrap-anywhere",
      verbatim: true,
    },
    { head: words.players, cell: ({ playersCount }) => playersCount, end: true, cellClass: "num" },
    { head: "Score", cell: ({ scoreCents }) => formatChange(scoreCents), end: true, cellClass: "num" },
  ];
  return (
    <Panel title={words.teams}>
      <Table columns={columns} rows={teams} keyOf={({ number }) => number} />
    </Panel>
  );
}

type ControlsProps = {
  axis: Axis;
  state: ReplayState;
  playback: Playback;
  /** The moments of the results, in milliseconds since 1970. */
  marks: readonly number[];
  passed: number;
  /** Null if there is none. */
  onPrevious: (() => void) | null;
  onNext: (() => void) | null;
};

function Controls({ axis, state, playback, marks, passed, onPrevious, onNext }: ControlsProps) {
  const { playing, toggle } = playback;
  return (
    <section className="panel pad stack replay-controls" aria-label="Controls">
      <Scrubber axis={axis} state={state} playback={playback} marks={marks} />
      <div className="row wrap">
        <button className="btn primary replay-play" type="button" onClick={toggle}>
          {playing ? "Pause" : "Play"}
        </button>
        <button
          className="btn"
          type="button"
          disabled={onPrevious === null}
          onClick={onPrevious ?? undefined}
        >
          Previous result
        </button>
        <button className="btn" type="button" disabled={onNext === null} onClick={onNext ?? undefined}>
          Next result
        </button>
        <span className="small ink2 num">
          {marks.length === 0 ? "No results" : `Result ${passed} of ${marks.length}`}
        </span>
        <Speeds playback={playback} />
      </div>
      <p className="tiny muted">
        Arrow keys move by a second, Page Up and Page Down by a tenth, Home and End to the ends.{" "}
        {axis.shortened ? <span>Times without a change are shortened.</span> : null}
      </p>
    </section>
  );
}

type ScrubberProps = Pick<ControlsProps, "axis" | "state" | "playback" | "marks">;

function Scrubber({ axis, state, playback: { value, seek }, marks }: ScrubberProps) {
  const zone = useTimeZone();
  const atMs = axis.momentMs(value);
  const at = new Date(atMs).toISOString();
  const clock = formatClock(at, zone);
  const since = sinceStart(state, atMs);
  return (
    <div className="scrubber">
      <div className="row wrap replay-now">
        <label className="small ink2" htmlFor="replay-time">
          Time
        </label>
        <b className="num replay-clock">
          {formatDate(at, zone)} {clock}
        </b>
        <span className="small ink2 num">{since}</span>
      </div>
      <div className="track">
        <input
          id="replay-time"
          type="range"
          min={0}
          max={axis.last}
          step={1}
          value={value}
          aria-valuetext={`${clock}, ${since}. ${describeOnAir(state)}`}
          onChange={(event) => seek(event.currentTarget.valueAsNumber)}
        />
        <div className="marks" aria-hidden="true">
          {marks.map((mark) => (
            <i key={mark} style={markStyle(axis.valueAt(mark), axis.last)} />
          ))}
        </div>
      </div>
    </div>
  );
}

function markStyle(value: number, last: number): CSSProperties & { "--at": string } {
  return { "--at": (last === 0 ? 0 : value / last).toFixed(4) };
}

function sinceStart({ session }: ReplayState, atMs: number): string {
  const startedAt = session?.startedAt ?? null;
  if (startedAt === null || Date.parse(startedAt) > atMs) return "before the start";
  return `${minutes(atMs - Date.parse(startedAt))} after the start`;
}

function Speeds({ playback: { speed, setSpeed } }: Pick<ControlsProps, "playback">) {
  return (
    <fieldset className="speeds push">
      <legend className="vh">Speed</legend>
      {speeds.map((factor) => (
        <label key={factor} className="speed num">
          <input
            className="vh"
            type="radio"
            name="speed"
            value={factor}
            checked={speed === factor}
            aria-label={factor === 1 ? "Normal speed" : `${factor} times as fast`}
            onChange={() => setSpeed(factor)}
          />
          <span aria-hidden="true">{`x${factor}`}</span>
        </label>
      ))}
    </fieldset>
  );
}

type Speed = (typeof speeds)[number];

type Playback = {
  value: number;
  playing: boolean;
  speed: Speed;
  setSpeed: (speed: Speed) => void;
  /** Moves to a value, and goes on playing if it did. */
  seek: (value: number) => void;
  /** Plays from here; from the beginning if it is at the end. */
  toggle: () => void;
};

/** The position of a replay, which moves while it plays, and stops at the end. */
function usePlayback({ last }: Axis): Playback {
  const [value, setValue] = useState(0);
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState<Speed>(1);
  /** The position, with the part of a second that has passed. */
  const exact = useRef(0);
  const seek = (next: number) => {
    exact.current = Math.min(last, Math.max(0, next));
    setValue(exact.current);
  };
  useEffect(() => {
    if (!playing) return;
    let beforeMs = performance.now();
    const timer = setInterval(() => {
      const nowMs = performance.now();
      exact.current = Math.min(last, exact.current + ((nowMs - beforeMs) * speed) / 1_000);
      beforeMs = nowMs;
      setValue(Math.floor(exact.current));
      if (exact.current >= last) setPlaying(false);
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [playing, speed, last]);
  const toggle = () => {
    if (!playing && value >= last) seek(0);
    setPlaying(!playing);
  };
  return { value, playing, speed, setSpeed, seek, toggle };
}
