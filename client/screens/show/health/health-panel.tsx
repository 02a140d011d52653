import { useCallback, useEffect, useRef, useState } from "react";
import { Link } from "react-router";
import { formatCount, countOf } from "#client/base/format/count.ts";
import { minutes } from "#client/base/format/countdown.ts";
import { formatClock } from "#client/base/format/time-format.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import * as words from "#client/base/format/words.ts";
import { useServerTime } from "#client/base/live/clock.ts";
import { useSync } from "#client/base/live/connection.ts";
import { usePolling } from "#client/base/live/use-polling.ts";
import { useApi } from "#client/base/page/context.ts";
import { sessionPath } from "#client/sessions/load-session.ts";
import { fill } from "#client/ui/fill.tsx";
import { Icon, type IconName } from "#client/ui/icon.tsx";
import { Panel } from "#client/ui/page-layout.tsx";
import type { timedTransitions } from "#db/lists/events.ts";
import { type HealthPart, healthParts, type PartState } from "#src/operate/health/contract.ts";
import type { HealthView, Parts, Sockets } from "#src/operate/health/schemas.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import { stageLink } from "../running/on-stage.ts";
import { useShow } from "../running/show-context.ts";

const noAnswer = "no answer";

const milliseconds = (ms: number) => `${formatCount(ms)} ms`;

const stateNames: Record<PartState, string> = { ok: "works", slow: "slow", away: "away" };

const partNames: Record<HealthPart, string> = {
  database: "Postgres",
  redis: "Redis",
  queues: "Queues",
  feed: "Feed",
};

const healthText = "Health";

const ASK_EVERY_MS = 3_000;
/** Nothing of a stopped session is urgent. */
const ASK_WHEN_OVER_MS = 15_000;
const ANSWER_WITHIN_MS = 5_000;

/** The newest answer, and whether a later question got none. */
export type Health = { view: HealthView | null; answeredAt: string | null; failing: boolean };

const unknown: Health = { view: null, answeredAt: null, failing: false };

/**
 * What the show runs on, and how the calls arrive of the event that results are given to, else of the one on the stage: asked
 * again every 3 s while the page is visible.
 */
export function useHealth(): Health {
  const { session, arming } = useShow();
  const api = useApi();
  const [health, setHealth] = useState(unknown);
  // Of an event that has not opened there is nothing to show: the server then answers for the one that is open.
  const { target } = arming;
  const eventId = target === null || target.openedAt === null ? null : target.id;
  const { slug, state } = session;
  /** The number of the newest question: an older answer that arrives later changes nothing. */
  const asked = useRef(0);
  const ask = useCallback(() => {
    asked.current += 1;
    const own = asked.current;
    const options = {
      query: { eventId },
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    };
    api.get(`${sessionPath(slug)}/health`, options).then(
      ({ health: view, meta }) => {
        if (own === asked.current) setHealth({ view, answeredAt: meta.serverTime, failing: false });
      },
      () => {
        if (own === asked.current) setHealth((last) => ({ ...last, failing: true }));
      },
    );
  }, [api, slug, eventId]);
  useEffect(() => {
    ask();
    return () => {
      asked.current += 1;
    };
    // The state: what has just closed is judged at once.
  }, [ask, target?.state]);
  const everyMs = state === "stopped" ? ASK_WHEN_OVER_MS : ASK_EVERY_MS;
  usePolling(ask, { everyMs, enabled: true, whenVisible: true });
  return health;
}

/** A ping that takes a client longer delays what it shows. */
const SOCKET_SLOW_MS = 1_000;

/** Lights for what the show runs on, in words and shapes too. */
export function HealthPanel({ health }: { health: Health }) {
  const { view, failing } = health;
  const lateTimer = useLateTimer();
  return (
    <Panel title={healthText} aside={view === null ? null : <Connected {...view.sockets} />}>
      {failing ? <NoNews health={health} /> : null}
      {view === null ? null : <Lights view={view} lateTimer={lateTimer} stale={failing} />}
      {view === null && !failing ? <p className="pad-row small ink2">Asking the server.</p> : null}
      {view?.parts.redis.state === "away" && !failing ? (
        <p className="pad-row small ink2">
          Pages do not change by themselves until Redis is back. Calls and closes go on.
        </p>
      ) : null}
    </Panel>
  );
}

type LightsProps = {
  view: HealthView;
  lateTimer: string | null;
  /** They are of an older answer. */
  stale: boolean;
};

function Lights({ view: { parts, sockets }, lateTimer, stale }: LightsProps) {
  return (
    <ul className={stale ? "readings stale" : "readings"} aria-label={healthText}>
      {healthParts.map((part) => (
        <Light key={part} state={parts[part].state} name={partNames[part]}>
          {detailOf[part](parts)}
        </Light>
      ))}
      <Light
        state={lateTimer === null ? "ok" : "away"}
        name="Timers"
        spoken={lateTimer === null ? undefined : "late"}
      >
        {lateTimer ?? "on time"}
      </Light>
      <Light state={socketState(sockets)} name="Slowest socket">
        {socketDetail(sockets)}
      </Light>
    </ul>
  );
}

/** True if something is slow, late or away, or if nobody answers. */
export function useTroubled({ view, failing }: Health): boolean {
  const isLate = useLateTimer() !== null;
  return isLate || failing || (view !== null && healthParts.some((part) => view.parts[part].state !== "ok"));
}

function NoNews({ health: { answeredAt } }: { health: Health }) {
  const zone = useTimeZone();
  if (answeredAt === null)
    return <p className="pad-row small bad">No answer yet. The server or the connection is away.</p>;
  return (
    <p className="pad-row small bad">
      {fill("No answer since {at}. The server or the connection is away.", {
        at: <b>{formatClock(answeredAt, zone)}</b>,
      })}
    </p>
  );
}

function Connected({ count, complete }: Sockets) {
  return (
    <span>{complete ? `${formatCount(count)} connected` : `${formatCount(count)} or more connected`}</span>
  );
}

const icons: Record<PartState, IconName> = { ok: "tick", slow: "warning", away: "cross" };

type LightProps = {
  state: PartState;
  name: string;
  /** What screen readers hear of the light, where it is not what the state says. */
  spoken?: string | undefined;
  children: string;
};

function Light({ state, name, spoken = stateNames[state], children }: LightProps) {
  return (
    <li>
      <span className={`light ${state}`}>
        <Icon name={icons[state]} size="s" />
      </span>
      <span>
        <span>{name}</span> <span className="vh">{spoken}</span>
      </span>
      <span className="push num ink2">{children}</span>
    </li>
  );
}

const detailOf: Record<HealthPart, (parts: Parts) => string> = {
  database: ({ database }) =>
    database.held === undefined ? answerText(database.answerMs) : `held by ${database.held.holder}`,
  redis: ({ redis }) => answerText(redis.answerMs),
  queues: ({ queues: { waiting, failed, working } }) => {
    if (waiting === null) return noAnswer;
    if (working === false) return "no worker: up to 2 s late";
    return `${formatCount(waiting)} waiting${failed === null || failed === 0 ? "" : `, ${formatCount(failed)} failed`}`;
  },
  feed: ({ feed }) => {
    if (feed.state === "away") return "nothing is sent";
    return feed.state === "slow" ? `${String(Math.round(feed.behindMs / 1_000))} s behind` : "up to date";
  },
};

function answerText(ms: number | null): string {
  return ms === null ? noAnswer : milliseconds(ms);
}

function socketState({ slow, slowestMs }: Sockets): PartState {
  return slow > 0 || (slowestMs ?? 0) >= SOCKET_SLOW_MS ? "slow" : "ok";
}

function socketDetail({ slow, slowestMs }: Sockets): string {
  if (slow > 0) return `${countOf(slow, "slow reader")}`;
  return slowestMs === null ? "not measured yet" : milliseconds(slowestMs);
}

const transitionOf: Record<(typeof timedTransitions)[number], (number: number) => string> = {
  publish_event: (number) => `Show ${number}`,
  open_event: (number) => `Open ${number}`,
  close_event: (number) => `Close ${number}`,
  resolve: (number) => `Decide ${number}`,
};

const SHOWN_MAX = 3;

type NextTransition = {
  event: EventView;
  number: number;
  /** Null while the session is paused. */
  dueAt: string | null;
  /** How long after the pause it is due; null while the clock runs. */
  remainingMs: number | null;
};

/**
 * The timed transitions of a session, the next one first. One without a time waits for something else and is not in it.
 * @param events in the order of their positions.
 */
export function listNext(events: readonly EventView[]): NextTransition[] {
  return events
    .flatMap((event, index): NextTransition[] => {
      const { plan } = event;
      if (plan?.nextTransition == null || (plan.dueAt === null && plan.remainingMs === null)) return [];
      const { dueAt, remainingMs } = plan;
      return [{ event, number: index + 1, dueAt, remainingMs }];
    })
    .toSorted((one, other) => orderOf(one) - orderOf(other));
}

/** "Open 11" */
function nameOfNext({ event, number }: Pick<NextTransition, "event" | "number">): string {
  const { plan, pendingResult } = event;
  if (plan?.nextTransition == null) return "";
  if (plan.nextTransition !== "resolve") return transitionOf[plan.nextTransition](number);
  if (pendingResult !== null) return `Pay ${number}`;
  return plan.autoResult === null ? `Refund ${number}` : transitionOf.resolve(number);
}

function orderOf({ dueAt, remainingMs }: NextTransition): number {
  return dueAt === null ? (remainingMs ?? 0) : Date.parse(dueAt);
}

/** How late a timer is, in whole seconds; null where it is on time. A page that is away does not know whether it has fired. */
function useLateS(dueAt: string | null): number | null {
  const { renderedAt } = useShow();
  const isOfNow = ["live", "poor"].includes(useSync());
  return useServerTime((nowMs) => {
    const lateS = dueAt === null ? 0 : Math.floor((nowMs - Date.parse(dueAt)) / 1_000);
    return isOfNow && lateS > 0 ? lateS : null;
  }, renderedAt);
}

/** "Open 11 late 9 s", about the timer that is the latest; null where all are on time. */
function useLateTimer(): string | null {
  const [next] = listNext(useShow().events);
  const lateS = useLateS(next?.dueAt ?? null);
  return next === undefined || lateS === null ? null : `${nameOfNext(next)} late ${lateS} s`;
}

/** What happens next without anybody: its name, when, and how late it is. */
export function NextTransitions() {
  const { session, events } = useShow();
  const next = listNext(events).slice(0, SHOWN_MAX);
  return (
    <Panel title={words.next}>
      {next.length === 0 ? (
        <p className="pad-row small ink2">
          {session.state === "stopped"
            ? "The show is over."
            : "Nothing happens by itself. The next step is yours."}
        </p>
      ) : (
        <ol className="readings" aria-label={words.next}>
          {next.map((each) => (
            <Row key={each.event.id} {...each} />
          ))}
        </ol>
      )}
    </Panel>
  );
}

function Row({ event, number, dueAt, remainingMs }: NextTransition) {
  const zone = useTimeZone();
  return (
    <li>
      <Link className="strong" {...stageLink(event.id)}>
        <span>{nameOfNext({ event, number })}</span>
        <span className="vh">{` ${event.title}`}</span>
      </Link>
      {dueAt === null ? (
        <span className="push num ink2">{`${minutes(remainingMs ?? 0)} after the pause`}</span>
      ) : (
        <>
          <time className="push num ink2" dateTime={dueAt}>
            {formatClock(dueAt, zone)}
          </time>
          <Left dueAt={dueAt} />
        </>
      )}
    </li>
  );
}

function Left({ dueAt }: { dueAt: string }) {
  const { renderedAt } = useShow();
  const late = useLateS(dueAt);
  const left = useServerTime((nowMs) => minutes(Date.parse(dueAt) - nowMs), renderedAt);
  return (
    <span className={late === null ? "left num" : "left num bad"}>
      {late === null ? `in ${left}` : `late ${late} s`}
    </span>
  );
}
