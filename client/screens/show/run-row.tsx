import { memo, type MouseEvent } from "react";
import { Link, useLocation } from "react-router";
import { minutes } from "#client/base/format/countdown.ts";
import { formatClock } from "#client/base/format/time-format.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import { useServerTime } from "#client/base/live/clock.ts";
import { driftMs, formatDrift, moved, pausedForMs, startWords } from "#client/running-order/schedule.ts";
import * as texts from "#client/running-order/show-texts.ts";
import { Icon, SideShape } from "#client/ui/icon.tsx";
import type { Side } from "#db/lists/spots.ts";
import { eventStateLabel } from "#src/show/events/contract.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import { Act } from "./act-form.tsx";
import { orderMoved } from "./order-fields.ts";
import { type Show, useShow } from "./show-context.ts";
import { isAhead } from "./stage/on-stage.ts";
import { STAGE_ID, stageSearch } from "./stage/use-stage.ts";
import { payingText } from "./verdict/paying-text.ts";

/** Id of the text that explains how to move a row. */
export const RUN_HINT_ID = "run-hint";

/** One event of the running order: its planned or actual time, and its drift from the plan. */
export function RunRow({ event, number }: { event: EventView; number: number }) {
  const show = useShow();
  const { pathname } = useLocation();
  const zone = useTimeZone();
  const onStage = show.onStage?.id === event.id;
  const ahead = isAhead(event);
  const pausedMs = useServerTime((nowMs) => (ahead ? pausedForMs(show.session, nowMs) : 0), show.renderedAt);
  return (
    <li className={rowClass(event, onStage)} data-event={event.id} data-ahead={ahead ? "" : undefined}>
      <RowFace
        {...{ number, ahead, onStage }}
        title={event.title}
        to={pathname + stageSearch(event.id)}
        {...timesOf(show, event, { zone, pausedMs })}
        facts={factsOf(event, startWords(show, event))}
        {...stateOf(event)}
      />
      {onStage && ahead ? <MoveButtons event={event} /> : null}
    </li>
  );
}

type FaceProps = {
  number: number;
  title: string;
  /** The page with this event on the stage. */
  to: string;
  onStage: boolean;
  /** It has not opened yet, so it can be moved. */
  ahead: boolean;
  facts: string;
} & TimesProps &
  StateProps;

/** What the row of an event shows. */
const RowFace = memo(function RowFace({ number, title, to, onStage, ahead, facts, ...props }: FaceProps) {
  return (
    <>
      <span className="n num">{number}</span>
      {ahead ? <Grip number={number} title={title} /> : null}
      <Link
        className="clip"
        to={to}
        defaultShouldRevalidate={false}
        preventScrollReset
        // The link covers the whole row: otherwise the browser would drag the link instead of the row.
        draggable={false}
        aria-current={onStage ? "true" : undefined}
        aria-describedby={ahead ? RUN_HINT_ID : undefined}
        onClick={focusStage}
      >
        {title}
      </Link>
      <Times {...props} />
      <span className="sub num">{facts}</span>
      <span className="st">
        <StateText {...props} />
      </span>
    </>
  );
});

/** Moves the focus to the chosen event, which is elsewhere on the page. */
function focusStage({ metaKey, ctrlKey, shiftKey }: MouseEvent): void {
  if (!metaKey && !ctrlKey && !shiftKey) document.getElementById(STAGE_ID)?.focus();
}

function Grip({ number, title }: { number: number; title: string }) {
  return (
    <button
      className="grip"
      type="button"
      data-grip=""
      aria-label={texts.moveAction(number, title)}
      aria-describedby={RUN_HINT_ID}
      aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
    >
      <Icon name="grip" size="s" />
    </button>
  );
}

function rowClass({ state }: EventView, onStage: boolean): string {
  if (onStage) return "air";
  if (state === "open" || state === "closed") return "next";
  return state === "resolved" || state === "hidden" ? "past" : "";
}

/** When the event opens or has opened, and how much later than planned; or when it is planned to open. */
type TimesProps = { at: string | null; clock: string; drift: string | null };

function timesOf(
  show: Show,
  event: EventView,
  { zone, pausedMs }: { zone: string; pausedMs: number },
): TimesProps {
  const slot = show.planned.get(event.id);
  const plannedAt = event.openedAt ?? event.opensAt;
  if (plannedAt === null) return { at: null, clock: plannedText(show, slot), drift: null };
  const at = moved(plannedAt, pausedMs);
  const drift = driftMs(show.session, event, slot);
  return { at, clock: formatClock(at, zone), drift: drift === null ? null : formatDrift(drift) };
}

function Times({ at, clock, drift }: TimesProps) {
  if (at === null) return <span className="tm num">{clock}</span>;
  return (
    <span className="tm num">
      <time dateTime={at}>{clock}</time>
      {drift === null ? null : <span className="drift">{` ${drift}`}</span>}
    </span>
  );
}

function plannedText({ session }: Show, slot: { opensInMs: number } | undefined): string {
  return session.state === "pending" && slot !== undefined ? `+${minutes(slot.opensInMs)}` : "";
}

/** @param start how it starts, if its time is not known. */
function factsOf(event: EventView, start: string | null): string {
  const { state, durationSeconds, callsCount, pool } = event;
  const paying = payingText(event);
  if (paying !== null) return paying;
  if (state === "draft" || state === "visible") {
    return start === null
      ? texts.secondsOpen(durationSeconds)
      : texts.secondsAndStart(durationSeconds, start);
  }
  return callsCount === 0 ? texts.callCount(0) : texts.callsInPool(callsCount, pool.totalCents);
}

/** The event's state, or the side that has won. */
type StateProps = { state: string; side: Side | null };

function stateOf({ state, result, trueLabel, falseLabel }: EventView): StateProps {
  if (state !== "resolved") return { state: eventStateLabel(state), side: null };
  if (result === null) return { state: texts.voidResult, side: null };
  return result ? { state: trueLabel, side: "true" } : { state: falseLabel, side: "false" };
}

function StateText({ state, side }: StateProps) {
  if (side === null) return <span>{state}</span>;
  return (
    <span className="side-mark">
      <SideShape side={side} />
      <span>{state}</span>
    </span>
  );
}

function MoveButtons({ event }: { event: EventView }) {
  const { events } = useShow();
  const [earlier, later] = [orderMoved(events, event.id, -1), orderMoved(events, event.id, 1)];
  return (
    <span className="moves" role="group" aria-label={texts.moveButtons}>
      <Act
        intent="order"
        disabledReason={earlier === null ? texts.alreadyNext : null}
        className="btn sm"
        fields={{ order: earlier ?? "" }}
      >
        <Icon name="up" size="s" /> <span>{texts.earlier}</span>
      </Act>
      <Act
        intent="order"
        disabledReason={later === null ? texts.alreadyLast : null}
        className="btn sm"
        fields={{ order: later ?? "" }}
      >
        <Icon name="down" size="s" /> <span>{texts.later}</span>
      </Act>
    </span>
  );
}
