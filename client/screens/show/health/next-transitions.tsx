import { Link } from "react-router";
import { minutes } from "#client/base/format/countdown.ts";
import { formatClock } from "#client/base/format/time-format.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import * as words from "#client/base/format/words.ts";
import { useServerTime } from "#client/base/live/clock.ts";
import { useSync } from "#client/base/live/connection.ts";
import { Panel } from "#client/ui/page-layout.tsx";
import type { timedTransitions } from "#db/lists/events.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import { useShow } from "../show-context.ts";
import { stageLink } from "../stage/use-stage.ts";

const transitionOf: Record<(typeof timedTransitions)[number], (number: number) => string> = {
  publish_event: (number) => `Show ${number}`,
  open_event: (number) => `Open ${number}`,
  close_event: (number) => `Close ${number}`,
  resolve: (number) => `Decide ${number}`,
};

const SECOND_MS = 1_000;
const SHOWN_MAX = 3;

/** What a timer will do to an event. */
type NextTransition = {
  event: EventView;
  /** Its number in the running order. */
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
    const lateS = dueAt === null ? 0 : Math.floor((nowMs - Date.parse(dueAt)) / SECOND_MS);
    return isOfNow && lateS > 0 ? lateS : null;
  }, renderedAt);
}

/** "Open 11 late 9 s", about the timer that is the latest; null where all are on time. */
export function useLateTimer(): string | null {
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
