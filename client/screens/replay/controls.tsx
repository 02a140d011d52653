import type { CSSProperties } from "react";
import { minutes } from "#client/base/format/countdown.ts";
import { formatClock, formatDate } from "#client/base/format/time-format.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import type { ReplayState } from "#src/replays/contract.ts";
import type { Axis } from "./axis.ts";
import { describeOnAir } from "./describe-on-air.ts";
import * as texts from "./replay-texts.ts";
import { type Playback, speeds } from "./use-playback.ts";

type ControlsProps = {
  axis: Axis;
  state: ReplayState;
  playback: Playback;
  /** The moments of the results, in milliseconds since 1970. */
  marks: readonly number[];
  /** How many results have passed. */
  passed: number;
  /** Null if there is none. */
  onPrevious: (() => void) | null;
  onNext: (() => void) | null;
};

/** The slider of a replay, and its buttons. */
export function Controls({ axis, state, playback, marks, passed, onPrevious, onNext }: ControlsProps) {
  const { playing, toggle } = playback;
  return (
    <section className="panel pad stack replay-controls" aria-label={texts.controls}>
      <Scrubber axis={axis} state={state} playback={playback} marks={marks} />
      <div className="row wrap">
        <button className="btn primary replay-play" type="button" onClick={toggle}>
          {playing ? texts.pause : texts.play}
        </button>
        <button
          className="btn"
          type="button"
          disabled={onPrevious === null}
          onClick={onPrevious ?? undefined}
        >
          {texts.previousResult}
        </button>
        <button className="btn" type="button" disabled={onNext === null} onClick={onNext ?? undefined}>
          {texts.nextResult}
        </button>
        <span className="small ink2 num">{texts.resultsShown(passed, marks.length)}</span>
        <Speeds playback={playback} />
      </div>
      <p className="tiny muted">
        {texts.keysHint} {axis.shortened ? <span>{texts.skipsQuiet}</span> : null}
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
          {texts.timeline}
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
          aria-valuetext={texts.spoken(clock, since, describeOnAir(state))}
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

type MarkStyle = CSSProperties & { "--at": string };

function markStyle(value: number, last: number): MarkStyle {
  return { "--at": (last === 0 ? 0 : value / last).toFixed(4) };
}

function sinceStart({ session }: ReplayState, atMs: number): string {
  const startedAt = session?.startedAt ?? null;
  if (startedAt === null || Date.parse(startedAt) > atMs) return texts.beforeStart;
  return texts.afterStart(minutes(atMs - Date.parse(startedAt)));
}

function Speeds({ playback: { speed, setSpeed } }: Pick<ControlsProps, "playback">) {
  return (
    <fieldset className="speeds push">
      <legend className="vh">{texts.speed}</legend>
      {speeds.map((factor) => (
        <label key={factor} className="speed num">
          <input
            className="vh"
            type="radio"
            name="speed"
            value={factor}
            checked={speed === factor}
            aria-label={texts.timesSpoken(factor)}
            onChange={() => setSpeed(factor)}
          />
          <span aria-hidden="true">{texts.times(factor)}</span>
        </label>
      ))}
    </fieldset>
  );
}
