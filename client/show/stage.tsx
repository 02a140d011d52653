import { Link } from "react-router";
import type { EventView } from "#src/events/schemas.ts";
import { Blank } from "../ui/blank.tsx";
import { countOf, formatCount } from "../ui/count.ts";
import { Icon } from "../ui/icon.tsx";
import { PoolBar } from "../ui/pool-bar.tsx";
import { AirClock } from "./air-clock.tsx";
import { EventDeck } from "./event-deck.tsx";
import { EventEditor } from "./event-editor.tsx";
import { FurtherActs } from "./further-acts.tsx";
import { useShow } from "./show-context.ts";
import { StatePill } from "./state-pill.tsx";
import { STAGE_ID, stageLink } from "./use-stage.ts";
import { Verdict } from "./verdict.tsx";
import { WhatNext } from "./what-next.tsx";

/** The event that is looked at, and everything that can be done about it. */
export function Stage() {
  const { onStage } = useShow();
  if (onStage === null) {
    return (
      <section className="panel" aria-label="On stage">
        <Blank icon="slip" title="Nothing in the running order">
          <p>Add the first action under New Action.</p>
        </Blank>
      </section>
    );
  }
  return (
    <>
      <OnAir event={onStage} />
      <EventDeck event={onStage} />
      <Verdict event={onStage} />
      {/* What was typed is about one event alone. */}
      <FurtherActs key={`acts-${onStage.id}`} event={onStage} />
      <EventEditor key={`edit-${onStage.id}`} event={onStage} />
    </>
  );
}

function OnAir({ event }: { event: EventView }) {
  const { events, chosen } = useShow();
  const place = events.findIndex(({ id }) => id === event.id) + 1;
  return (
    <section className="panel pad on-air" aria-labelledby={STAGE_ID}>
      <AirClock event={event} />
      <div className="stack">
        <div className="row wrap">
          <StatePill event={event} />
          <span className="small ink2 num">
            {place} of {events.length}
          </span>
          {chosen ? (
            <Link className="btn sm push" {...stageLink(null)}>
              Follow the show
            </Link>
          ) : null}
        </div>
        <h2 id={STAGE_ID} tabIndex={-1}>
          {event.title}
        </h2>
        <p className="small ink2 num">
          <WhatNext event={event} />
        </p>
      </div>
      <div className="stack pool-part">
        <PoolBar event={event} />
        <p className="row wrap small num">
          <SideFacts event={event} side={0} />
          <SideFacts event={event} side={1} />
          <span className="push ink2">
            {countOf(event.callsCount, "call")}, {event.durationSeconds} s
          </span>
        </p>
      </div>
    </section>
  );
}

/** "Over: 268 calls" */
function SideFacts({ event, side }: { event: EventView; side: 0 | 1 }) {
  const { label, side: name, callsCount } = event.spots[side];
  return (
    <span className="side-mark">
      <Icon name={name} className={`shape-${name}`} />
      <span className="clip">{label}</span>
      {/* While it is open the pool moves faster than the look that counts each side. */}
      {event.state === "open" ? null : <span className="ink2">{formatCount(callsCount)}</span>}
    </span>
  );
}
