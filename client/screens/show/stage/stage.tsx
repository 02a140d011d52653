import { Link } from "react-router";
import { formatCount, countOf } from "#client/base/format/count.ts";
import { durationText, minutes } from "#client/base/format/countdown.ts";
import { formatShortMoney } from "#client/base/format/money.ts";
import * as words from "#client/base/format/words.ts";
import { useServerTime } from "#client/base/live/clock.ts";
import { moreTexts } from "#client/blueprints/more-texts.ts";
import { startWords } from "#client/running-order/schedule.ts";
import * as texts from "#client/running-order/show-texts.ts";
import { StatePill } from "#client/running-order/state-pill.tsx";
import { ClockFace, FrozenClock, IdleClock } from "#client/ui/clock-face.tsx";
import { EmptyState } from "#client/ui/empty-state.tsx";
import { Icon } from "#client/ui/icon.tsx";
import { Panel } from "#client/ui/page-layout.tsx";
import { Pill } from "#client/ui/pill.tsx";
import { PoolBar } from "#client/ui/pool-bar.tsx";
import { QuestionImage } from "#client/ui/question-image.tsx";
import { say } from "#src/http/contract.ts";
import type { Pace } from "#src/operate/health/schemas.ts";
import { eventTransitions } from "#src/show/events/contract.ts";
import type { EventPlan, EventView } from "#src/show/events/schemas.ts";
import { ArmButton, Reason } from "../result-entry/arm-button.tsx";
import { OthersArming } from "../result-entry/undo-bar.tsx";
import { AboutEvent, Act, AskAct, KeyCap } from "../running/act-form.tsx";
import { disabledReasonForAct, disabledReasonForMove } from "../running/disabled-reason.ts";
import { STAGE_ID, awaitsResult, isAhead, numberOf, stageLink } from "../running/on-stage.ts";
import { type Show, useShow } from "../running/show-context.ts";
import { EventEditor } from "./event-editor.tsx";
import { Slot, Tray } from "./slot.tsx";
import { BigScreen, WhatNext } from "./what-next.tsx";

const byHand = "By hand";

const advanceStart = (number: number) => `Advance: start ${number}`;

const delays = [
  { seconds: -10, label: "-10", hotkey: { hotkey: "-" } },
  { seconds: 10, label: "+10", hotkey: { hotkey: "Plus" } },
  { seconds: 30, label: "+30", hotkey: {} },
];

/** What "Advance" does, by state. */
const advanceLabels: Partial<Record<EventView["state"], string>> = {
  draft: "Advance: show",
  visible: "Advance: open",
  open: "Advance: close",
};

const units: Record<NonNullable<EventPlan["nextTransition"]>, { unit: string; spoken: string }> = {
  publish_event: { unit: "to show", spoken: "Shown in" },
  open_event: { unit: words.toOpen, spoken: words.opensIn },
  close_event: { unit: words.toClose, spoken: words.closesIn },
  resolve: { unit: "to result", spoken: "Resolves in" },
};

/** A pending result is paid by its timed transition. */
const paying = { unit: "to pay", spoken: "Pays in" };

export function Stage({ pace }: { pace: Pace | null }) {
  const { onStage } = useShow();
  if (onStage === null) {
    return (
      <section className="panel" aria-label="On stage">
        <EmptyState icon="slip" title="Nothing in the running order">
          <p>Add the first action under New Action.</p>
        </EmptyState>
      </section>
    );
  }
  return (
    <>
      <OnAirStrip />
      <OnAir event={onStage} />
      <BigScreen />
      <EventDeck event={onStage} />
      <Slot pace={pace} />
      <Tray />
      {/* The keys discard what was typed when another event is chosen. */}
      <FurtherActs key={`acts-${onStage.id}`} event={onStage} />
      <EventEditor key={`edit-${onStage.id}`} event={onStage} />
      <NextMore event={onStage} />
    </>
  );
}

export function OnAir({ event }: { event: EventView }) {
  const { session, events } = useShow();
  const number = numberOf(events, event);
  return (
    <section className="panel pad on-air" aria-labelledby={STAGE_ID}>
      <AirClock event={event} />
      <div className="stack">
        <div className="row wrap">
          <StatePill event={event} />
          <span className="small ink2 num">{`${number} of ${events.length}`}</span>
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
      <More event={event} />
      <div className="stack pool-part">
        <PoolBar event={event} />
        <p className="row wrap small num">
          <SideFacts event={event} side={0} />
          <SideFacts event={event} side={1} />
          <span className="push ink2">{`${countOf(event.callsCount, "call")}, ${durationText(event.durationSeconds)}`}</span>
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

/** What is on air while another event was chosen for the stage, and the way back to it. */
function OnAirStrip() {
  const { events, onStage, onAir, chosen, renderedAt } = useShow();
  const dueAt = onAir?.plan?.dueAt ?? null;
  const left = useServerTime(
    (nowMs) => (dueAt === null ? "" : minutes(Math.max(0, Date.parse(dueAt) - nowMs))),
    renderedAt,
  );
  if (!chosen || onAir === null) return null;
  if (onAir.id === onStage?.id) return null;
  return (
    <p className="panel on-air-strip row" role="status">
      <StatePill event={onAir} />
      <span className="clip strong">{say`On air: ${numberOf(events, onAir)}. ${onAir.title}`}</span>
      <span className="num push" aria-hidden="true">
        {left}
      </span>
      <Link className="btn sm" {...stageLink(null)}>
        Follow the show
      </Link>
    </p>
  );
}

/** The time until an event's next planned transition, or since its close. It is stopped while the session is paused. */
function AirClock({ event }: { event: EventView }) {
  const { session } = useShow();
  const { plan } = event;
  if (plan?.nextTransition != null && !awaitsResult(event, session)) {
    const labels = event.pendingResult === null ? units[plan.nextTransition] : paying;
    if (plan.dueAt !== null) return <DueClock event={event} dueAt={plan.dueAt} labels={labels} />;
    if (plan.remainingMs !== null) return <FrozenClock digits={minutes(plan.remainingMs)} {...labels} />;
  }
  return event.state === "closed" && event.closedAt !== null ? (
    <SinceClock at={event.closedAt} />
  ) : (
    <IdleClock />
  );
}

function DueClock({ event, dueAt, labels }: { event: EventView; dueAt: string; labels: typeof paying }) {
  const { renderedAt } = useShow();
  const toMs = Date.parse(dueAt);
  const open = event.state === "open";
  const fromMs = open ? toMs - event.durationSeconds * 1_000 : toMs;
  return (
    <ClockFace
      fromMs={fromMs}
      toMs={toMs}
      {...labels}
      className={open ? "" : "idle"}
      renderedAt={renderedAt}
      inMinutes={!open}
    />
  );
}

function SinceClock({ at }: { at: string }) {
  const { renderedAt } = useShow();
  const digits = useServerTime((nowMs) => minutes(nowMs - Date.parse(at)), renderedAt);
  return <FrozenClock className="idle" digits={digits} unit="since close" spoken="Closed for" />;
}

const byHandActs = ({ state }: EventView) =>
  ["publish_event", "open_event", "close_event", state === "hidden" ? "show" : "hide"] as const;

/** State changes of an event outside the running order. */
function FurtherActs({ event }: { event: EventView }) {
  const { session } = useShow();
  const reasonFor = (name: Parameters<typeof disabledReasonForMove>[2]) =>
    disabledReasonForMove(session, event, name);
  return (
    <section className="panel further" aria-label={byHand}>
      <span className="small muted">{byHand}</span>
      {byHandActs(event).map((intent) => (
        <Act
          key={intent === "show" ? "hide" : intent}
          intent={intent}
          event={event}
          disabledReason={reasonFor(intent)}
          className="btn sm"
        >
          {eventTransitions[intent].label}
        </Act>
      ))}
      <Reset event={event} />
      <AskAct
        label={words.deleteIt}
        className="btn sm"
        disabledReason={reasonFor("destroy")}
        title="Delete this action?"
        act={{ label: words.deleteIt, intent: "destroy", className: "btn bad" }}
      >
        <AboutEvent event={event} />
        <p>{say`${event.title} goes out of the session. There is no way back.`}</p>
      </AskAct>
    </section>
  );
}

function Reset({ event }: { event: EventView }) {
  const { session } = useShow();
  const { callsCount, voided, pool } = event;
  const movesMoney = callsCount > 0 && !voided;
  return (
    <AskAct
      label={eventTransitions.reset.label}
      className="btn sm"
      disabledReason={disabledReasonForMove(session, event, "reset")}
      title="Reset this action?"
      act={{
        label: movesMoney ? "Reset and refund" : eventTransitions.reset.label,
        intent: "reset",
        className: "btn bad",
      }}
    >
      <AboutEvent event={event} />
      <input type="hidden" name="version" value={event.version} />
      <p>{say`${event.title} becomes a draft again, without a plan. A new round of calls begins when it opens.`}</p>
      {movesMoney ? (
        <>
          <p>{`${countOf(callsCount, "call")} with ${formatShortMoney(pool.totalCents)} will be refunded, and what was paid is taken back.`}</p>
          <Reason id={`reset-reason-${event.id}`} required />
        </>
      ) : null}
    </AskAct>
  );
}

/**
 * Controls of the running order: take the next step now, close, delay or skip. Each says the number of the event that it acts on:
 * the one on the stage. What ends something is refused if the event has changed since it was shown.
 */
export function EventDeck({ event }: { event: EventView }) {
  const show = useShow();
  const { session, events } = show;
  const number = numberOf(events, event);
  const shown = { version: String(event.version) };
  return (
    <section className="panel deck" aria-label="Running order">
      <Act
        intent="advance"
        event={event}
        disabledReason={disabledReasonForAct(session, event, "advance")}
        className="btn primary"
        hotkey="Space"
        fields={shown}
      >
        <span>{advanceText(show, event)}</span> <KeyCap name={texts.space} />
      </Act>
      <Act
        intent="close_event"
        event={event}
        disabledReason={disabledReasonForMove(session, event, "close_event")}
        hotkey="C"
        fields={shown}
      >
        <span>{`Close ${number}`}</span> <KeyCap name="C" />
      </Act>
      <Delays event={event} number={number} />
      <ArmButton event={event} act="skip" className="btn" hotkey="S">
        <span>{`Skip ${number}`}</span> <KeyCap name="S" />
      </ArmButton>
    </section>
  );
}

/** "Advance: close 9" */
function advanceText(show: Show, event: EventView): string {
  const { events } = show;
  const number = numberOf(events, event);
  if (event.state === "draft" && startWords(show, event) !== null) return advanceStart(number);
  if (event.state !== "closed") return `${advanceLabels[event.state] ?? "Advance"} ${number}`;
  const next = events.slice(number).find(isAhead);
  return next === undefined ? "Advance: next action" : advanceStart(numberOf(events, next));
}

function Delays({ event, number }: { event: EventView; number: number }) {
  const { session } = useShow();
  const disabledReason = disabledReasonForAct(session, event, "delay");
  return (
    <div className="row" role="group" aria-label={`Delay ${number} by seconds`}>
      <span className="small muted">{`Delay ${number}`}</span>
      {delays.map(({ seconds, label, hotkey }) => (
        <Act
          key={seconds}
          intent="delay"
          event={event}
          disabledReason={disabledReason}
          className="btn num"
          {...hotkey}
          fields={{ seconds: String(seconds) }}
        >
          <span>{label}</span>
          <span className="vh"> {texts.seconds}</span>
        </Act>
      ))}
    </div>
  );
}

/** Who else has the Admin tab of this session open; nothing if nobody has. */
function HostsPill() {
  const { hosting } = useShow();
  const names = [...new Set(hosting.others.map(hosting.nameOf))];
  return (
    <span role="status">
      {names.length === 0 ? null : <Pill icon="person" text={`${names.join(" and ")} here too`} />}
    </span>
  );
}

const hasMore = ({ picture, plan }: EventView) =>
  picture !== undefined || Boolean(plan?.hostNote) || Boolean(plan?.explanation);

/** What only hosts read about a question, its picture, and what explains its result. */
function More({ event }: { event: EventView }) {
  const { picture, plan } = event;
  if (!hasMore(event)) return null;
  return (
    <div className="question-more">
      {picture === undefined ? null : <QuestionImage picture={picture} />}
      <dl className="small">
        <Text name={moreTexts.hostNote} text={plan?.hostNote} />
        <Text name={moreTexts.explanation} text={plan?.explanation} />
      </dl>
    </div>
  );
}

function Text({ name, text = "" }: { name: string; text: string | undefined }) {
  return text === "" ? null : (
    <div>
      <dt className="ink2">{name}</dt>
      <dd className="wrap-anywhere">{text}</dd>
    </div>
  );
}

/** The same of the question that comes after it. It is below all buttons: its height moves none. */
function NextMore({ event }: { event: EventView }) {
  const { events } = useShow();
  const next = events.slice(numberOf(events, event)).find(isAhead);
  if (next === undefined || !hasMore(next)) return null;
  return (
    <Panel title={say`Next: ${numberOf(events, next)}. ${next.title}`}>
      <div className="body">
        <More event={next} />
      </div>
    </Panel>
  );
}
