import { formatCount } from "#client/base/format/count.ts";
import * as texts from "#client/running-order/show-texts.ts";
import { StatePill } from "#client/running-order/state-pill.tsx";
import { EmptyState } from "#client/ui/empty-state.tsx";
import { Icon } from "#client/ui/icon.tsx";
import { PoolBar } from "#client/ui/pool-bar.tsx";
import type { Pace } from "#src/operate/health/schemas.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import { Slot } from "../arming/slot.tsx";
import { HostsPill } from "../hosting/hosts-pill.tsx";
import { OthersArming } from "../hosting/others-arming.tsx";
import { useShow } from "../show-context.ts";
import { Tray } from "../tray/tray.tsx";
import { AirClock } from "./air-clock.tsx";
import { EventDeck } from "./event-deck.tsx";
import { EventEditor } from "./event-editor.tsx";
import { FurtherActs } from "./further-acts.tsx";
import { OnAirStrip } from "./on-air-strip.tsx";
import { awaitsResult, numberOf } from "./on-stage.ts";
import { STAGE_ID } from "./use-stage.ts";
import { WhatNext } from "./what-next.tsx";

/** The event on the stage, and everything that can be done to it. */
export function Stage({ pace }: { pace: Pace | null }) {
  const { onStage } = useShow();
  if (onStage === null) {
    return (
      <section className="panel" aria-label={texts.onStage}>
        <EmptyState icon="slip" title={texts.emptyTitle}>
          <p>{texts.emptyHint}</p>
        </EmptyState>
      </section>
    );
  }
  return (
    <>
      <OnAirStrip />
      <OnAir event={onStage} />
      <EventDeck event={onStage} />
      <Slot pace={pace} />
      <Tray />
      {/* The keys discard what was typed when another event is chosen. */}
      <FurtherActs key={`acts-${onStage.id}`} event={onStage} />
      <EventEditor key={`edit-${onStage.id}`} event={onStage} />
    </>
  );
}

function OnAir({ event }: { event: EventView }) {
  const { session, events } = useShow();
  const number = numberOf(events, event);
  return (
    <section className="panel pad on-air" aria-labelledby={STAGE_ID}>
      <AirClock event={event} />
      <div className="stack">
        <div className="row wrap">
          <StatePill event={event} />
          <span className="small ink2 num">{texts.positionOf(number, events.length)}</span>
          <HostsPill />
        </div>
        <h2 id={STAGE_ID} tabIndex={-1} data-takes-keys="">
          {event.title}
        </h2>
        <p className="small ink2 num">
          <WhatNext event={event} />
        </p>
        {/* Those in the tray are shown there. */}
        <OthersArming about={events.filter((each) => each.id === event.id || !awaitsResult(each, session))} />
      </div>
      <div className="stack pool-part">
        <PoolBar event={event} />
        <p className="row wrap small num">
          <SideFacts event={event} side={0} />
          <SideFacts event={event} side={1} />
          <span className="push ink2">{texts.callsAndSeconds(event.callsCount, event.durationSeconds)}</span>
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
      {/* While the event is open the pool is newer than the counts per side, which come with a fetch only. */}
      {event.state === "open" ? null : <span className="ink2">{formatCount(callsCount)}</span>}
    </span>
  );
}
