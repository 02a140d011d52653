import { type CSSProperties, type RefObject, useLayoutEffect, useRef } from "react";
import { Link } from "react-router";
import { useHydrated } from "#client/base/browser/use-hydrated.ts";
import { countOf } from "#client/base/format/count.ts";
import { minutes } from "#client/base/format/countdown.ts";
import * as words from "#client/base/format/words.ts";
import { useServerTime } from "#client/base/live/clock.ts";
import { useViewer } from "#client/base/page/context.ts";
import { callsInPool } from "#client/running-order/show-texts.ts";
import { Icon } from "#client/ui/icon.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { type EventResult, results } from "#db/lists/events.ts";
import { say } from "#src/http/contract.ts";
import type { Pace } from "#src/operate/health/schemas.ts";
import { UNDO_WITHIN_MS } from "#src/show/events/contract.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import { LateAlarm } from "../health/pace-panel.tsx";
import { ArmedFields, armedTexts, numbered, resultText, ArmButton } from "../result-entry/arm-button.tsx";
import { OthersArming, UndoBar, nameOfDecider } from "../result-entry/undo-bar.tsx";
import { ActForm, KeyCap } from "../running/act-form.tsx";
import { STAGE_ID, decidedMs, decidedResult, numberOf, listWaiting, stageLink } from "../running/on-stage.ts";
import { useShow } from "../running/show-context.ts";
import { keyOf } from "../running/use-acting.ts";
import { DISARM_AFTER_MS, type Armed, type Ended, useArmingCountdown } from "../running/use-arming.ts";
import { isTyping } from "./use-hotkeys.ts";

/** By the number of the action. */
const endedText: Record<Ended, (number: number) => string> = {
  disarmed: () => "Disarmed. Nothing has happened.",
  decided: (number) => `Disarmed: action ${number} was decided meanwhile.`,
  takenBack: (number) =>
    `Disarmed: the result of action ${number} was taken back meanwhile. Arm it again if it is still right.`,
  skipped: (number) => `Disarmed: action ${number} has left the show.`,
  reset: (number) => `Disarmed: action ${number} was reset, and is a draft again.`,
  gone: () => "Disarmed: the action was deleted.",
  staked: (number) => `Disarmed: you have a call on action ${number}. Somebody else must decide.`,
  stopped: () => "Disarmed: the show was stopped.",
  changed: (number) => `Disarmed: action ${number} changed meanwhile. Arm it again if it is still right.`,
};

/** Id of the text that says which event T, F and V act on. */
const TARGET_ID = "verdict-target";

/** Id of the text that says why nothing is armed any more. */
const SLOT_NEWS_ID = "slot-news";
const TITLE_ID = "armed-title";

/**
 * The one place where results are given: for the event on the stage, or for the row of the tray that was chosen. What is armed
 * and what can be undone appear here, and cover nothing.
 */
export function Slot({ pace }: { pace: Pace | null }) {
  const { events, arming, onStage } = useShow();
  const { armed, selected, target } = arming;
  if (target === null) return null;
  return (
    <section className="panel pad stack slot" aria-label="Resolve">
      <div className="row">
        <h3 className="small">{target.state === "resolved" ? "Correct the result" : "Resolve"}</h3>
        <span className="small strong clip" id={TARGET_ID}>
          {numbered(events, target)}
        </span>
        {selected === null || armed !== null || onStage === null ? null : (
          <button
            className="btn sm push"
            type="button"
            data-key="Escape"
            aria-keyshortcuts="Escape"
            onClick={() => arming.select(null)}
          >
            <span>{`Back to ${numberOf(events, onStage)}`}</span> <KeyCap name="Esc" />
          </button>
        )}
      </div>
      <Verdict event={target} describedBy={TARGET_ID} />
      <LateAlarm pace={pace} />
      {armed === null ? null : <ArmedForm key={`${armed.event.id} ${armed.act}`} armed={armed} />}
      <SlotNews />
      <UndoBar />
      <LatestDecisions />
    </section>
  );
}

/**
 * Announces what the keys act on, and that something was disarmed. It gets the focus when a form goes away in which the host is
 * typing: what is typed next is no key of the room.
 */
function SlotNews() {
  const { events, arming } = useShow();
  const { armed, selected, news } = arming;
  const isOvertaken = news !== null && news.why !== "disarmed";
  const ended = news === null ? "" : endedText[news.why](numberOf(events, { id: news.eventId }));
  const chosen =
    selected === null ? "" : say`T, F and V act on ${numberOf(events, selected)}. ${selected.title}`;
  return (
    <p className={isOvertaken ? "small ink2" : "vh"} id={SLOT_NEWS_ID} tabIndex={-1} role="status">
      {armed === null ? ended || chosen : ""}
    </p>
  );
}

/**
 * What is armed, and what it will do. Enter does it; Escape, or 8 s without using the form, disarm it, unless the host has set that
 * it stays. It takes the focus, but
 * holds nothing back: everything else on the page can be used meanwhile.
 */
function ArmedForm({ armed }: { armed: Armed }) {
  const { event, act, version } = armed;
  const { events, arming, acting, renderedAt } = useShow();
  const section = useRef<HTMLElement>(null);
  const giveFocusBack = useFocusHere(section);
  const { title, label, intent, className } = armedTexts(events, event, act);
  const isSending = acting.busy.has(keyOf(intent, event.id));
  const leftS = useArmingCountdown(section, { disarm: arming.disarm, renderedAt, isHeld: isSending });
  return (
    <section
      className="armed"
      ref={section}
      tabIndex={-1}
      data-takes-keys=""
      aria-labelledby={TITLE_ID}
      aria-describedby="armed-hint"
    >
      <ActForm className="stack" onDone={() => arming.done(armed)}>
        <div className="row">
          <h3 className="clip" id={TITLE_ID}>
            {title}
          </h3>
          <span className="vh" id="armed-hint">
            {say`${numbered(events, event)} Armed. Nothing has happened yet.`}
          </span>
          <span className="small push num" aria-hidden="true">
            {leftS === null ? null : `disarms in ${leftS} s`}
          </span>
        </div>
        <ArmedFields event={event} act={act} version={version} />
        <OthersArming about={[event]} />
        <div className="row fire">
          <Submit intent={intent} className={`${className} wide`} hotkey="Enter" busy={isSending}>
            <span>{label}</span> <KeyCap name={words.enter} />
          </Submit>
          {isSending && act !== "skip" && event.state !== "resolved" ? (
            <TakeBackSoon event={event} />
          ) : (
            <Disarm
              disabled={isSending}
              disarm={() => {
                giveFocusBack();
                arming.disarm();
              }}
            />
          )}
        </div>
      </ActForm>
      {leftS === null ? null : <Fuse leftS={leftS} />}
    </section>
  );
}

function Disarm({ disabled, disarm }: { disabled: boolean; disarm: () => void }) {
  return (
    <button
      className="btn"
      type="button"
      data-key="Escape"
      aria-keyshortcuts="Escape"
      aria-disabled={disabled}
      onClick={disabled ? undefined : disarm}
    >
      Disarm <KeyCap name="Esc" />
    </button>
  );
}

/** While the result is on its way: U takes it back as soon as the answer is there. */
function TakeBackSoon({ event }: { event: EventView }) {
  const { earlyUndo } = useShow();
  const isWanted = earlyUndo.wantedId === event.id;
  return (
    <button
      className="btn you"
      type="button"
      data-key="U"
      aria-keyshortcuts="U"
      aria-disabled={isWanted}
      onClick={() => earlyUndo.want(event)}
    >
      {isWanted ? "It is taken back" : words.takeItBack} <KeyCap name="U" />
    </button>
  );
}

/** A line along the form that becomes shorter. */
function Fuse({ leftS }: { leftS: number }) {
  const style: CSSProperties & { "--left": number } = { "--left": leftS / (DISARM_AFTER_MS / 1_000) };
  return <span className="left" style={style} />;
}

/**
 * Takes the focus, but never from a field in which the host types. When the form goes away with the focus in it, the room gets
 * the focus; not if the host is typing, because the next letters are meant for the form that was there.
 * @returns gives the focus back to where it was.
 */
function useFocusHere(section: RefObject<HTMLElement | null>): () => void {
  const before = useRef<Element | null>(null);
  useLayoutEffect(() => {
    const element = section.current;
    before.current = document.activeElement;
    if (!isTyping(before.current)) element?.focus();
    return () => {
      const { activeElement } = document;
      if (element?.contains(activeElement) !== true) return;
      const next = isTyping(activeElement) ? SLOT_NEWS_ID : STAGE_ID;
      document.getElementById(next)?.focus({ preventScroll: true });
    };
  }, [section]);
  return () => {
    if (section.current?.contains(document.activeElement) !== true) return;
    const place = before.current;
    if (place instanceof HTMLElement && place.isConnected && place !== document.body) {
      place.focus({ preventScroll: true });
    }
  };
}

/** The results that other hosts have just given: "Ana called 4 Yes 2 s ago." Pending ones are in the undo bar. */
function LatestDecisions() {
  const { events } = useShow();
  return events.map((event) =>
    event.state === "resolved" ? <Decision key={event.id} event={event} /> : null,
  );
}

function Decision({ event }: { event: EventView }) {
  const show = useShow();
  const name = nameOfDecider(show, event, useViewer()?.id);
  const agoS = useServerTime((nowMs) => {
    const agoMs = nowMs - decidedMs(event);
    return agoMs < UNDO_WITHIN_MS ? Math.max(0, Math.floor(agoMs / 1_000)) : null;
  }, show.renderedAt);
  const result = decidedResult(event);
  if (name === null || agoS === null || result === null) return null;
  return (
    <p className="small ink2 num">
      {say`${name} called ${numberOf(show.events, event)} ${resultText(event, result)} ${agoS} s ago.`}
    </p>
  );
}

const waitingText = (count: number) => `Waits for your result (${count})`;

/** The events that wait for a result beside the one on the stage, the oldest first. A result can be armed in each row. */
export function Tray() {
  const { session, events, onStage } = useShow();
  const waiting = listWaiting(events, session).filter(({ id }) => id !== onStage?.id);
  if (waiting.length === 0) return null;
  return (
    <section className="panel tray" aria-label={waitingText(waiting.length)}>
      <header className="row">
        <h3 className="small">{waitingText(waiting.length)}</h3>
        <span className="tiny muted push keys-only">Its number chooses one for T, F and V.</span>
      </header>
      <ol>
        {waiting.map((event) => (
          <Row key={event.id} event={event} />
        ))}
      </ol>
    </section>
  );
}

function Row({ event }: { event: EventView }) {
  const { arming } = useShow();
  const chosen = arming.target?.id === event.id;
  return (
    <li className={chosen ? "chosen" : ""}>
      <Choose event={event} chosen={chosen} />
      <span className="answers">
        {results.map((result) => (
          <RowAnswer key={result} event={event} result={result} />
        ))}
      </span>
      <OthersArming about={[event]} />
    </li>
  );
}

/** The question. Its number is its key: it chooses the row for T, F and V; without JavaScript it puts the event on the stage. */
function Choose({ event, chosen }: { event: EventView; chosen: boolean }) {
  const { events, arming, renderedAt } = useShow();
  const scripted = useHydrated();
  const number = String(numberOf(events, event));
  const since = useServerTime((nowMs) => minutes(nowMs - Date.parse(event.closedAt ?? "")), renderedAt);
  const { callsCount, pool } = event;
  const content = (
    <>
      <KeyCap name={number} />
      <span className="title">
        <span className="clip">
          <span className="num ink2">{`${number}.`}</span> <span>{event.title}</span>
        </span>
        <span className="tiny ink2 num">
          <span>{callsCount === 0 ? countOf(0, "call") : callsInPool(callsCount, pool.totalCents)}</span>,{" "}
          <span>{`closed ${since} ago`}</span>
        </span>
      </span>
    </>
  );
  if (!scripted) {
    return (
      <Link className="choose" {...stageLink(event.id)}>
        {content}
      </Link>
    );
  }
  return (
    <button
      className="choose"
      type="button"
      data-key={number}
      aria-keyshortcuts={number.length === 1 ? number : undefined}
      aria-pressed={chosen}
      onClick={() => arming.select(event)}
    >
      <span className="vh">Choose</span>
      {content}
    </button>
  );
}

function RowAnswer({ event, result }: { event: EventView; result: EventResult }) {
  const { events } = useShow();
  const name = `${resultText(event, result)}: ${numberOf(events, event)}. ${event.title}`;
  return (
    <ArmButton event={event} act={result} className="btn sm answer" name={name}>
      <Icon name={resultIcons[result]} size="s" className={`shape-${result}`} /> <span>{keys[result]}</span>
    </ArmButton>
  );
}

const resultIcons = { true: "true", false: "false", void: "none" } as const;
const keys = { true: "T", false: "F", void: "V" } as const;

/** A longer label is in smaller letters on two lines: one that is cut may be the wrong one. */
const LONG_LABEL = 14;

/** @param describedBy the id of the text that says which event the buttons act on. */
type VerdictProps = { event: EventView; describedBy: string };

function Verdict(props: VerdictProps) {
  return (
    <div className="trio">
      <Answer {...props} result="true" />
      <Answer {...props} result="false" />
      <Answer {...props} result="void" />
    </div>
  );
}

function Answer({ event, result, describedBy }: VerdictProps & { result: EventResult }) {
  return (
    <ArmButton
      event={event}
      act={result}
      className={`verdict ${result}`}
      hotkey={keys[result]}
      describedBy={describedBy}
    >
      <Icon name={resultIcons[result]} />
      <span className="words" data-len={resultText(event, result).length > LONG_LABEL ? "long" : undefined}>
        {resultText(event, result)}
      </span>
      <KeyCap name={keys[result]} />
    </ArmButton>
  );
}
