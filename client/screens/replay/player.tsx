import { useMemo, useState } from "react";
import { formatClock } from "#client/base/format/time-format.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import { countUntil, type Timeline } from "#src/replays/contract.ts";
import { ActionsTable } from "./actions-table.tsx";
import { ActsList } from "./acts-list.tsx";
import { createAxis } from "./axis.ts";
import { Controls } from "./controls.tsx";
import { LeadersTable } from "./leaders-table.tsx";
import { listResults } from "./list-results.ts";
import { OnAir } from "./on-air.tsx";
import * as texts from "./replay-texts.ts";
import { usePlayback } from "./use-playback.ts";

type PlayerProps = { timeline: Timeline; names: ReadonlyMap<number, string>; full: boolean };

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
    setAnnounced(texts.jumpedTo(clock, result.title, result.label));
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
