import {
  type KeyboardEvent,
  memo,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { Link, useLocation } from "react-router";
import { countOf } from "#client/base/format/count.ts";
import { durationText, minutes } from "#client/base/format/countdown.ts";
import { moveItem } from "#client/base/format/move-item.ts";
import { formatClock } from "#client/base/format/time-format.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import * as words from "#client/base/format/words.ts";
import { serverNow, useServerTime } from "#client/base/live/clock.ts";
import { moreTexts } from "#client/blueprints/more-texts.ts";
import { driftMs, formatDrift, moved, pausedForMs, startWords } from "#client/running-order/schedule.ts";
import * as texts from "#client/running-order/show-texts.ts";
import { dragRow } from "#client/ui/drag-row.ts";
import { Icon, SideShape } from "#client/ui/icon.tsx";
import { Panel } from "#client/ui/page-layout.tsx";
import type { Side } from "#db/lists/spots.ts";
import { eventStateLabel } from "#src/show/events/contract.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import { Act } from "./running/act-form.tsx";
import { STAGE_ID, isAhead, payingText, stageSearch } from "./running/on-stage.ts";
import { orderFields, orderMoved } from "./running/perform-act.ts";
import { type Show, useShow } from "./running/show-context.ts";

const runOfShow = "Run of show";

const MOVABLE_ROWS = "li[data-ahead]";
const steps: Record<string, -1 | 1 | undefined> = { ArrowUp: -1, ArrowDown: 1 };

/** Id of the text that explains how to move a row. */
const RUN_HINT_ID = "run-hint";

/** The running order, from the first event to the last. Events that have not opened can be dragged, or moved with Alt and arrows. */
export function RunOfShow() {
  const { onStage } = useShow();
  const { events, move } = useRunningOrder();
  const ahead = events.filter(isAhead);
  const number = onStage === null ? 0 : events.findIndex(({ id }) => id === onStage.id) + 1;
  const moveByKey = (press: KeyboardEvent) => {
    const step = steps[press.key];
    const from = ahead.findIndex(({ id }) => id === idAt(press.target));
    if (step === undefined || !press.altKey || from < 0) return;
    press.preventDefault();
    move(from, from + step);
  };
  const drag = ({ nativeEvent: press, currentTarget }: PointerEvent<HTMLOListElement>) => {
    const grip = press.target instanceof Element ? press.target.closest<HTMLElement>("[data-grip]") : null;
    if (grip === null || press.button !== 0) return;
    dragRow(
      { grip, start: press, rows: [...currentTarget.querySelectorAll<HTMLElement>(MOVABLE_ROWS)] },
      move,
    );
  };
  const list = useRef<HTMLOListElement>(null);
  useKeepInView(list, onStage?.id ?? null);
  return (
    <Panel title={runOfShow} aside={`${number} of ${events.length}`}>
      <ol className="run" aria-label={runOfShow} ref={list} onKeyDown={moveByKey} onPointerDown={drag}>
        {events.map((event, index) => (
          <RunRow key={event.id} event={event} number={index + 1} />
        ))}
      </ol>
      <p className="vh" id={RUN_HINT_ID}>
        {moreTexts.moveHint}
      </p>
    </Panel>
  );
}

/** Keeps the event on stage visible where the list scrolls by itself. It never scrolls the page. */
function useKeepInView(list: RefObject<HTMLOListElement | null>, eventId: number | null): void {
  useEffect(() => {
    const row = list.current?.querySelector<HTMLElement>(`[data-event="${eventId}"]`);
    if (list.current === null || row == null) return;
    const top = row.offsetTop - list.current.offsetTop;
    const above = top < list.current.scrollTop;
    const below = top + row.offsetHeight > list.current.scrollTop + list.current.clientHeight;
    if (above || below) list.current.scrollTo({ top: top - list.current.clientHeight / 3 });
  }, [list, eventId]);
}

function idAt(target: EventTarget): number | null {
  const row = target instanceof Element ? target.closest<HTMLElement>("[data-event]") : null;
  return row === null ? null : Number(row.dataset["event"]);
}

/** An order that the viewer has made. `doneMs`: the server's time when it was saved; null until then. */
type RequestedOrder = { ids: readonly number[]; doneMs: number | null };

type RunningOrder = {
  /** All events; those that have not opened in the order that the viewer has made last. */
  events: readonly EventView[];
  /** Moves an event; both are indexes among the events that have not opened. */
  move: (from: number, to: number) => void;
};

/** The running order on the page. A move is visible at once and saved in the background; the last one wins. */
function useRunningOrder(): RunningOrder {
  const { events: known, fetchedAt, acting } = useShow();
  const [requested, setRequested] = useState<RequestedOrder | null>(null);
  const ids = requested !== null && isNewer(requested, fetchedAt) ? requested.ids : null;
  const events = useMemo(() => (ids === null ? known : inOrder(known, ids)), [known, ids]);
  const unsent = useRef<readonly number[] | null>(null);
  const sending = useRef(false);
  const { act } = acting;
  const send = useCallback(async () => {
    if (sending.current) return;
    sending.current = true;
    for (let next = takeUnsent(unsent); next !== null; next = takeUnsent(unsent)) {
      const done = await act(formOf(orderFields(next)));
      // A refusal also discards the moves that were based on the refused one.
      if (!done) takeUnsent(unsent);
      setRequested((latest) => {
        if (!done) return null;
        return latest?.ids === next ? { ids: latest.ids, doneMs: serverNow() } : latest;
      });
    }
    sending.current = false;
  }, [act]);
  const move = (from: number, to: number) => {
    const ahead = events.filter(isAhead).map(({ id }) => id);
    if (ahead[from] === undefined || to < 0 || to >= ahead.length || to === from) return;
    const next = moveItem(ahead, from, to);
    unsent.current = next;
    setRequested({ ids: next, doneMs: null });
    void send();
  };
  return { events, move };
}

/** True until a fetch has returned the saved order. */
function isNewer({ doneMs }: RequestedOrder, fetchedAt: string): boolean {
  return doneMs === null || Date.parse(fetchedAt) < doneMs;
}

function takeUnsent(unsent: { current: readonly number[] | null }): readonly number[] | null {
  const ids = unsent.current;
  unsent.current = null;
  return ids;
}

/** Puts the events that have not opened into the given order; the others keep their positions. */
function inOrder(events: readonly EventView[], ids: readonly number[]): EventView[] {
  const byId = new Map(events.map((event) => [event.id, event]));
  const ahead = ids.flatMap((id) => byId.get(id) ?? []).filter(isAhead);
  const missing = events.filter((event) => isAhead(event) && !ids.includes(event.id));
  const next = [...ahead, ...missing].values();
  return events.map((event) => (isAhead(event) ? (next.next().value ?? event) : event));
}

function formOf(fields: Readonly<Record<string, string>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

/** One event of the running order: its planned or actual time, and its drift from the plan. */
function RunRow({ event, number }: { event: EventView; number: number }) {
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
      <span className="sub num clip">{facts}</span>
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
      aria-label={`Move action ${number}, ${title}`}
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
    return start === null ? durationText(durationSeconds) : texts.secondsAndStart(durationSeconds, start);
  }
  return callsCount === 0 ? countOf(0, "call") : texts.callsInPool(callsCount, pool.totalCents);
}

type StateProps = { state: string; side: Side | null };

function stateOf({ state, result, trueLabel, falseLabel }: EventView): StateProps {
  if (state !== "resolved") return { state: eventStateLabel(state), side: null };
  if (result === null) return { state: words.voidResult, side: null };
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

const moves = [
  { by: -1, icon: "up", label: "Earlier", atEnd: "It is the next already." },
  { by: 1, icon: "down", label: "Later", atEnd: "It is the last already." },
] as const;

function MoveButtons({ event }: { event: EventView }) {
  const { events } = useShow();
  return (
    <span className="moves" role="group" aria-label="Move it">
      {moves.map(({ by, icon, label, atEnd }) => {
        const order = orderMoved(events, event.id, by);
        return (
          <Act
            key={by}
            intent="order"
            disabledReason={order === null ? atEnd : null}
            className="btn sm"
            fields={{ order: order ?? "" }}
          >
            <Icon name={icon} size="s" /> <span>{label}</span>
          </Act>
        );
      })}
    </span>
  );
}
