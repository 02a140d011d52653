import { Link } from "react-router";
import { minutes } from "#client/base/format/countdown.ts";
import { formatClock } from "#client/base/format/time-format.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import { useServerTime } from "#client/base/live/clock.ts";
import { Panel } from "#client/ui/page-layout.tsx";
import type { EventView } from "#src/show/events/schemas.ts";
import { useShow } from "../show-context.ts";
import { stageLink } from "../stage/use-stage.ts";
import * as texts from "../texts/health-texts.ts";
import { listNext, type NextTransition } from "./list-next.ts";

const SHOWN_MAX = 3;
/** A timer that fires within this is on time. */
const LATE_FROM_MS = 1_000;

/** What happens next without anybody: its name, when, and how late it is. */
export function NextTransitions() {
  const { session, events } = useShow();
  const next = listNext(events).slice(0, SHOWN_MAX);
  return (
    <Panel title={texts.nextTransitions}>
      {next.length === 0 ? (
        <p className="pad-row small ink2">
          {session.state === "stopped" ? texts.nothingNextOver : texts.nothingNext}
        </p>
      ) : (
        <ol className="readings" aria-label={texts.nextTransitions}>
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
        <span>{nameOf(event, number)}</span>
        <span className="vh">{` ${event.title}`}</span>
      </Link>
      {dueAt === null ? (
        <span className="push num ink2">{texts.afterResume(minutes(remainingMs ?? 0))}</span>
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
  const text = useServerTime((nowMs) => leftText(Date.parse(dueAt) - nowMs), renderedAt);
  const isLate = useServerTime((nowMs) => nowMs - Date.parse(dueAt) >= LATE_FROM_MS, renderedAt);
  return <span className={isLate ? "left num bad" : "left num"}>{text}</span>;
}

function leftText(leftMs: number): string {
  if (leftMs > -LATE_FROM_MS) return texts.dueIn(minutes(leftMs));
  return texts.late(String(Math.floor(-leftMs / 1_000)));
}

function nameOf({ plan, pendingResult }: EventView, number: number): string {
  if (plan?.nextTransition == null) return "";
  if (plan.nextTransition !== "resolve") return texts.transitionOf[plan.nextTransition](number);
  if (pendingResult !== null) return texts.pay(number);
  return plan.autoResult === null ? texts.refund(number) : texts.transitionOf.resolve(number);
}
