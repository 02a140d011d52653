import type { MouseEvent } from "react";
import { Link } from "react-router";
import { eventStateLabels } from "#src/events/contract.ts";
import type { EventView } from "#src/events/schemas.ts";
import { countOf } from "../ui/count.ts";
import { minutes } from "../ui/countdown.ts";
import { Icon, SideShape } from "../ui/icon.tsx";
import { formatShortMoney } from "../ui/money.ts";
import { formatClock } from "../ui/time-format.ts";
import { useTimeZone } from "../ui/time-zone.ts";
import { Act } from "./act-form.tsx";
import { isAhead } from "./on-stage.ts";
import { orderMoved } from "./order-fields.ts";
import { payingText } from "./paying-text.ts";
import { driftMs, formatDrift } from "./schedule.ts";
import { type Show, useShow } from "./show-context.ts";
import { STAGE_ID, stageLink } from "./use-stage.ts";

/** Id of the text that explains how to move a row. */
export const RUN_HINT_ID = "run-hint";

/** One event of the running order: its planned or actual time, and its drift from the plan. */
export function RunRow({ event, number }: { event: EventView; number: number }) {
  const show = useShow();
  const onStage = show.onStage?.id === event.id;
  const ahead = isAhead(event);
  return (
    <li className={rowClass(event, onStage)} data-event={event.id} data-ahead={ahead ? "" : undefined}>
      <span className="n num">{number}</span>
      {ahead ? <Grip number={number} title={event.title} /> : null}
      <Link
        className="clip"
        {...stageLink(event.id)}
        // The link covers the whole row: otherwise the browser would drag the link instead of the row.
        draggable={false}
        aria-current={onStage ? "true" : undefined}
        aria-describedby={ahead ? RUN_HINT_ID : undefined}
        onClick={focusStage}
      >
        {event.title}
      </Link>
      <Times event={event} />
      <span className="sub num">{factsOf(event)}</span>
      <span className="st">
        <StateText event={event} />
      </span>
      {onStage && ahead ? <MoveButtons event={event} /> : null}
    </li>
  );
}

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

function Times({ event }: { event: EventView }) {
  const show = useShow();
  const zone = useTimeZone();
  const slot = show.planned.get(event.id);
  const drift = driftMs(show.session, event, slot);
  const at = event.openedAt ?? event.opensAt;
  if (at === null) return <span className="tm num">{plannedText(show, slot)}</span>;
  return (
    <span className="tm num">
      <time dateTime={at}>{formatClock(at, zone)}</time>
      {drift === null ? null : <span className="drift"> {formatDrift(drift)}</span>}
    </span>
  );
}

function plannedText({ session }: Show, slot: { opensInMs: number } | undefined): string {
  return session.state === "pending" && slot !== undefined ? `+${minutes(slot.opensInMs)}` : "";
}

function factsOf(event: EventView): string {
  const { state, durationSeconds, callsCount, pool } = event;
  const paying = payingText(event);
  if (paying !== null) return paying;
  if (state === "draft" || state === "visible") return `${durationSeconds} s`;
  const money = callsCount === 0 ? "" : `, ${formatShortMoney(pool.totalCents)} in the pool`;
  return `${countOf(callsCount, "call")}${money}`;
}

function StateText({ event }: { event: EventView }) {
  if (event.state !== "resolved") return eventStateLabels[event.state];
  if (event.result === null) return "Void";
  return (
    <span className="side-mark">
      <SideShape side={event.result ? "true" : "false"} />
      {event.result ? event.trueLabel : event.falseLabel}
    </span>
  );
}

function MoveButtons({ event }: { event: EventView }) {
  const { events } = useShow();
  const [earlier, later] = [orderMoved(events, event.id, -1), orderMoved(events, event.id, 1)];
  return (
    <span className="moves" role="group" aria-label="Move it">
      <Act
        intent="order"
        why={earlier === null ? "It is the next already." : null}
        className="btn sm"
        fields={{ order: earlier ?? "" }}
      >
        <Icon name="up" size="s" /> Earlier
      </Act>
      <Act
        intent="order"
        why={later === null ? "It is the last already." : null}
        className="btn sm"
        fields={{ order: later ?? "" }}
      >
        <Icon name="down" size="s" /> Later
      </Act>
    </span>
  );
}
