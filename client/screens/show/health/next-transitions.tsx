import { Link } from "react-router";
import { minutes } from "#client/base/format/countdown.ts";
import { formatClock } from "#client/base/format/time-format.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import { useServerTime } from "#client/base/live/clock.ts";
import { Panel } from "#client/ui/page-layout.tsx";
import { useShow } from "../show-context.ts";
import { stageLink } from "../stage/use-stage.ts";
import * as texts from "../texts/health-texts.ts";
import { listNext, nameOfNext, type NextTransition } from "./list-next.ts";
import { useLateS } from "./use-late-timer.ts";

const SHOWN_MAX = 3;

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
        <span>{nameOfNext({ event, number })}</span>
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
  const late = useLateS(dueAt);
  const left = useServerTime((nowMs) => minutes(Date.parse(dueAt) - nowMs), renderedAt);
  return (
    <span className={late === null ? "left num" : "left num bad"}>
      {late === null ? texts.dueIn(left) : texts.late(late)}
    </span>
  );
}
