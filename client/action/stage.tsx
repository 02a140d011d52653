import type { ReactNode } from "react";
import { formatCount } from "../ui/count.ts";
import { formatShortMoney } from "../ui/money.ts";
import { formatClock, formatMoment } from "../ui/time-format.ts";
import { useTimeZone } from "../ui/time.tsx";
import { Podium } from "./podium.tsx";
import { resultLabel } from "./result-label.ts";
import { StageClock } from "./stage-clock.tsx";
import { Trend } from "./trend.tsx";
import { useView, type View } from "./view.ts";

/** Clock left, facts or a sentence right. */
export function Stage() {
  const view = useView();
  if (view.phase === "stopped") return <Podium />;
  return (
    <div className="stage">
      <StageClock />
      <StageWords view={view} />
      {view.phase === "open" || view.phase === "closing" ? <Trend /> : null}
    </div>
  );
}

function StageWords({ view: { phase, offline, standing, table } }: { view: View }) {
  if (offline) return <OfflineWords count={standing?.calls.length ?? 0} />;
  if (phase === "pending") return <PendingFacts startsAt={table.session.startsAt} />;
  if (phase === "visible") return <VisibleFacts />;
  if (phase === "closed") return <ClosedWords />;
  if (phase === "paused") {
    return <Say title="Paused by the host.">Your calls are safe. The clock goes on from here.</Say>;
  }
  if (phase === "waiting") {
    return <Say title="Stay close.">The next question appears here a few seconds before it opens.</Say>;
  }
  return <OpenFacts />;
}

function ClosedWords() {
  const { event, table } = useView();
  if (event === null || event.pendingResult === null) {
    return (
      <Say title="Calls are closed.">{`Waiting for the result. ${formatCount(event?.callsCount ?? 0)} called.`}</Say>
    );
  }
  const when = table.session.state === "paused" ? "after the pause" : "in a moment";
  return (
    <Say title={`Result: ${resultLabel(event)}`}>{`It pays ${when}. Until then the host may change it.`}</Say>
  );
}

function OfflineWords({ count }: { count: number }) {
  const placed = count === 1 ? "Your call is placed." : `Your ${count} calls are placed.`;
  return (
    <Say fit title="Reconnecting...">
      {count === 0 ? "Nothing is lost." : `${placed} Nothing is lost.`}
    </Say>
  );
}

function Say({ title, fit = false, children }: { title: string; fit?: boolean; children: string }) {
  return (
    <p className={fit ? "say fit" : "say"}>
      {title}
      <span>{children}</span>
    </p>
  );
}

function OpenFacts() {
  const { event } = useView();
  const zone = useTimeZone();
  if (event === null) return null;
  return (
    <dl className="facts">
      <Fact name="Called">{formatCount(event.callsCount)}</Fact>
      <Fact name="In the pool">{formatShortMoney(Math.round(event.pool.total * 100))}</Fact>
      <Fact name="Closes">
        {event.closesAt === null ? (
          "–"
        ) : (
          <time dateTime={event.closesAt}>{formatClock(event.closesAt, zone)}</time>
        )}
      </Fact>
    </dl>
  );
}

function VisibleFacts() {
  const { event, table } = useView();
  const zone = useTimeZone();
  if (event === null) return null;
  return (
    <dl className="facts">
      <Fact name="Open for">{`${event.durationSeconds} s`}</Fact>
      <Fact name="Opens">
        {event.opensAt === null ? (
          "–"
        ) : (
          <time dateTime={event.opensAt}>{formatClock(event.opensAt, zone)}</time>
        )}
      </Fact>
      <Fact name="Players">{Math.max(table.playersOnline, 1)}</Fact>
    </dl>
  );
}

function PendingFacts({ startsAt }: { startsAt: string | null }) {
  const { table } = useView();
  const zone = useTimeZone();
  return (
    <dl className="facts">
      <Fact name="Actions">{table.session.eventsCount}</Fact>
      <Fact name="Joined">{table.session.registrationsCount}</Fact>
      <Fact name="Starts">
        {startsAt === null ? (
          "When the host says"
        ) : (
          <time dateTime={startsAt}>{formatMoment(startsAt, zone)}</time>
        )}
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
