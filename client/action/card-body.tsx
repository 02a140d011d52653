import type { ReactNode } from "react";
import type { EventView } from "#src/events/schemas.ts";
import { useServerTime } from "../clock.ts";
import { kept } from "../kept.ts";
import { formatCount } from "../ui/count.ts";
import { minutes } from "../ui/countdown.ts";
import { formatChange, formatShortMoney } from "../ui/money.ts";
import { formatClock, formatMoment } from "../ui/time-format.ts";
import { useTimeZone } from "../ui/time-zone.ts";
import { CardClock } from "./card-clock.tsx";
import { resultLabel } from "./result-label.ts";
import { Trend } from "./trend.tsx";
import { useView, type View } from "./view.ts";

const PODIUM_RANKS = 3;

/** The middle of the card: the clock at the left, facts or a sentence at the right. */
export function CardBody() {
  const view = useView();
  if (view.phase === "stopped") return <Podium />;
  return (
    <div className="stage">
      <CardClock />
      <BodyText view={view} />
      {view.phase === "open" || view.phase === "closing" ? <Trend /> : null}
    </div>
  );
}

function BodyText({ view: { phase, offline, refused, viewerCalls, state } }: { view: View }) {
  if (refused) return <Message title="No longer live.">Reload the page to go on.</Message>;
  if (offline) return <OfflineWords count={viewerCalls?.calls.length ?? 0} />;
  if (phase === "pending") return <PendingFacts startsAt={state.session.startsAt} />;
  if (phase === "visible") return <VisibleFacts />;
  if (phase === "closed") return <ClosedWords />;
  if (phase === "paused") {
    return <Message title="Paused by the host.">Your calls are safe. The clock goes on from here.</Message>;
  }
  if (phase === "waiting") {
    return (
      <Message title="Stay close.">The next question appears here a few seconds before it opens.</Message>
    );
  }
  return <OpenFacts />;
}

function ClosedWords() {
  const { event } = useView();
  if (event !== null && event.pendingResult !== null) return <PendingWords event={event} />;
  const count = formatCount(event?.callsCount ?? 0);
  return <Message title="Calls are closed.">{`Waiting for the result. ${count} called.`}</Message>;
}

/** "Result: True, pays in 0:05" */
function PendingWords({ event }: { event: EventView }) {
  const { state, data } = useView();
  const paysAtMs = state.session.state === "paused" ? Number.NaN : Date.parse(event.paysAt ?? "");
  const when = useServerTime(
    (nowMs) => (Number.isNaN(paysAtMs) ? "after the pause" : `in ${minutes(paysAtMs - nowMs)}`),
    data.serverTime,
  );
  return (
    <Message title={`Result: ${resultLabel(event)}, pays ${when}`}>
      Until then the host may change it.
    </Message>
  );
}

function OfflineWords({ count }: { count: number }) {
  const placed = count === 1 ? "Your call is placed." : `Your ${count} calls are placed.`;
  return (
    <Message fit title="Reconnecting...">
      {count === 0 ? "Nothing is lost." : `${placed} Nothing is lost.`}
    </Message>
  );
}

type MessageProps = { title: string; fit?: boolean; children: string };

const Message = kept(function Message({ title, fit = false, children }: MessageProps) {
  return (
    <p className={fit ? "say fit" : "say"}>
      {title}
      <span>{children}</span>
    </p>
  );
});

function OpenFacts() {
  const { event } = useView();
  const zone = useTimeZone();
  if (event === null) return null;
  const { callsCount, pool, closesAt } = event;
  return <OpenTable count={callsCount} cents={pool.totalCents} closesAt={closesAt} zone={zone} />;
}

type OpenTableProps = { count: number; cents: number; closesAt: string | null; zone: string };

const OpenTable = kept(function OpenTable({ count, cents, closesAt, zone }: OpenTableProps) {
  return (
    <dl className="facts">
      <Fact name="Called">{formatCount(count)}</Fact>
      <Fact name="In the pool">{formatShortMoney(cents)}</Fact>
      <Fact name="Closes">
        {closesAt === null ? "–" : <time dateTime={closesAt}>{formatClock(closesAt, zone)}</time>}
      </Fact>
    </dl>
  );
});

function VisibleFacts() {
  const { event, state } = useView();
  const zone = useTimeZone();
  if (event === null) return null;
  const { durationSeconds, opensAt } = event;
  return (
    <VisibleTable seconds={durationSeconds} opensAt={opensAt} zone={zone} players={state.playersOnline} />
  );
}

type VisibleTableProps = { seconds: number; opensAt: string | null; zone: string; players: number };

const VisibleTable = kept(function VisibleTable({ seconds, opensAt, zone, players }: VisibleTableProps) {
  return (
    <dl className="facts">
      <Fact name="Open for">{`${seconds} s`}</Fact>
      <Fact name="Opens">
        {opensAt === null ? "–" : <time dateTime={opensAt}>{formatClock(opensAt, zone)}</time>}
      </Fact>
      <Fact name="Players">{Math.max(players, 1)}</Fact>
    </dl>
  );
});

function PendingFacts({ startsAt }: { startsAt: string | null }) {
  const { eventsCount, registrationsCount } = useView().state.session;
  const zone = useTimeZone();
  return <PendingTable actions={eventsCount} joined={registrationsCount} startsAt={startsAt} zone={zone} />;
}

type PendingTableProps = { actions: number; joined: number; startsAt: string | null; zone: string };

const PendingTable = kept(function PendingTable({ actions, joined, startsAt, zone }: PendingTableProps) {
  return (
    <dl className="facts">
      <Fact name="Actions">{actions}</Fact>
      <Fact name="Joined">{joined}</Fact>
      <Fact name="Starts">
        {startsAt === null ? (
          "When the host says"
        ) : (
          <time dateTime={startsAt}>{formatMoment(startsAt, zone)}</time>
        )}
      </Fact>
    </dl>
  );
});

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** After the session: the first three, and the viewer's own result. */
function Podium() {
  const { state } = useView();
  const first = state.leaders.slice(0, PODIUM_RANKS);
  const { me } = state;
  return (
    <div className="stage podium">
      {first.length === 0 ? (
        <p className="say">Nobody won or lost this time.</p>
      ) : (
        <ol className="list">
          {first.map((score) => (
            <li key={score.userId} className={score.userId === me?.userId ? "dense me" : "dense"}>
              <span className="strong num rank">{score.tied ? `=${score.rank}` : score.rank}</span>
              <span className="grow clip">{score.username}</span>
              <span className="small">{`${score.wins} won, ${score.losses} lost`}</span>
            </li>
          ))}
        </ol>
      )}
      {me === null ? null : (
        <p className="small ink2">
          {`You: ${me.wins} won, ${me.losses} lost, net ${formatChange(me.netCents)}, rank ${me.rank} of ${state.playersCount}`}
        </p>
      )}
    </div>
  );
}
