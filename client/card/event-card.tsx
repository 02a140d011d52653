import { type ComponentType, type ReactNode, startTransition, useEffect, useState } from "react";
import * as shared from "#client/base/format/words.ts";
import { isRight } from "#client/calls/viewer-calls.ts";
import * as texts from "#client/events/action-texts.ts";
import { usePlayersHere } from "#client/events/players-here.ts";
import { pendingWords, resultLabel, withdrawnWords } from "#client/events/result-label.ts";
import { useView, type View } from "#client/events/view.ts";
import { isBesideOrder } from "#db/lists/limits.ts";
import { say } from "#src/http/contract.ts";
import type { EventView, QuestionPicture } from "#src/show/events/schemas.ts";
import { whenIdle } from "../base/browser/when-idle.ts";
import { useLateParts } from "../base/deferred/use-late-parts.ts";
import { formatCount, countOf } from "../base/format/count.ts";
import { durationText, minutes } from "../base/format/countdown.ts";
import { formatShortMoney } from "../base/format/money.ts";
import { formatClock, formatMoment } from "../base/format/time-format.ts";
import { useTimeZone } from "../base/format/time-zone.ts";
import { useServerTime } from "../base/live/clock.ts";
import { useSync } from "../base/live/connection.ts";
import { fetchLate, withLate } from "../base/live/late-code.ts";
import { whenUsed } from "../base/live/when-used.ts";
import { Icon } from "../ui/icon.tsx";
import { NoPool, PoolBar } from "../ui/pool-bar.tsx";
import { CardClock } from "./card-clock.tsx";
import { CardMeta } from "./card-meta.tsx";
import { Result, Unfolds, Why } from "./result.tsx";
import { Slip } from "./slip.tsx";

const LONG_TITLE = 60;
const hostMayChange = "Until then the host may change it.";

/** On a wide screen, and once the page is live: it shows what has happened since. */
const WIDE_PX = 640;
const loadTrend = async () => {
  await new Promise<void>(whenIdle);
  return fetchLate(() => import("./trend.tsx"));
};

type EventCardProps = {
  /** What is in the rows of the pool and the slip before the session starts; null: what is usually there. */
  waiting: { pool: ReactNode; slip: ReactNode } | null;
};

/** The card. Its layout is the same in every phase; only the content of its body changes. */
export function EventCard({ waiting }: EventCardProps) {
  const view = useView();
  const title = cardTitle(view);
  return (
    <article className={cardClass(view)} aria-label={title}>
      {isWon(view) ? (
        <div className="burst" aria-hidden="true">
          <Icon name="mark" />
        </div>
      ) : null}
      <div className="card-in">
        <CardMeta />
        <h1 className="card-q" data-len={title.length > LONG_TITLE ? "long" : undefined}>
          {title}
        </h1>
        {view.phase === "resolved" ? <Result key={view.event?.version} /> : <CardBody />}
        {waiting?.pool ?? <Pool />}
        {waiting?.slip ?? <Slip />}
        <LateResultBar />
      </div>
    </article>
  );
}

function Pool() {
  const { event, phase, viewerCalls } = useView();
  if (event === null)
    return <NoPool text={phase === "stopped" ? "All calls are settled" : texts.noPoolYet} />;
  const won = viewerCalls?.outcome?.kind === "won" && phase === "resolved";
  return <PoolBar event={event} to={won ? `${event.result === true}` : undefined} />;
}

function cardClass(view: View): string {
  if (view.offline || view.phase === "paused") return "card dim";
  if (isWon(view)) return "card won";
  return view.phase === "resolved" || view.phase === "withdrawn" ? "card quiet" : "card";
}

function isWon({ phase, viewerCalls }: View): boolean {
  return phase === "resolved" && isRight(viewerCalls?.outcome);
}

/** The question, or a text where there is no event to ask about. */
export function cardTitle({ state, event, phase }: View): string {
  if (event !== null) return event.title;
  if (phase === "pending") return say`${state.session.name} has not started yet`;
  if (phase === "stopped") return "That was it. Thank you for calling.";
  return phase === "paused" ? "The host has paused the session" : "The next question is on its way";
}

/** The middle of the card: the clock at the left, facts or a sentence at the right. */
function CardBody() {
  const view = useView();
  // The end of a session has a card of its own.
  if (view.phase === "stopped") return null;
  return (
    <div className="stage">
      <CardClock />
      <BodyText view={view} />
      {view.phase === "open" || view.phase === "closing" ? <LateTrend /> : null}
    </div>
  );
}

function LateTrend() {
  const parts = useLateParts(globalThis.innerWidth < WIDE_PX ? null : loadTrend);
  return <figure className="trend">{parts === null ? null : <parts.Trend />}</figure>;
}

function BodyText({ view: { phase, offline, refused, viewerCalls, state } }: { view: View }) {
  if (refused) return <Message title="No longer live.">Reload the page to go on.</Message>;
  if (offline) return <OfflineWords count={viewerCalls?.calls.length ?? 0} />;
  if (phase === "pending") return <PendingFacts startsAt={state.session.startsAt} />;
  if (phase === "visible") return <VisibleFacts />;
  if (phase === "closed") return <ClosedWords />;
  if (phase === "withdrawn") return <WithdrawnWords />;
  if (phase === "paused") {
    return (
      <Message title={texts.byTheHost(shared.paused)}>
        Your calls are safe. The clock goes on from here.
      </Message>
    );
  }
  if (phase === "waiting") {
    return (
      <Message title="Stay close.">The next question appears here a few seconds before it opens.</Message>
    );
  }
  return <OpenFacts />;
}

/** Not an old result again: what became of the question, and of the money on it. */
function WithdrawnWords() {
  const words = withdrawnWords(useView().state);
  if (words === null) return null;
  return (
    <Message fit title={words.title}>
      {words.hint}
    </Message>
  );
}

function ClosedWords() {
  const { event } = useView();
  if (event !== null && event.pendingResult !== null) return <PendingWords event={event} />;
  const count = countOf(event?.callsCount ?? 0, "call");
  return <Message title="Calls are closed.">{`Waiting for the result. ${count}.`}</Message>;
}

/** "You called it.", and "Result: True, pays in 0:05" */
function PendingWords({ event }: { event: EventView }) {
  const { state, data, viewerCalls } = useView();
  const paysAtMs = state.session.state === "paused" ? Number.NaN : Date.parse(event.paysAt ?? "");
  const result = resultLabel(event);
  const own = pendingWords(event, viewerCalls);
  const words = useServerTime(
    (nowMs) =>
      Number.isNaN(paysAtMs)
        ? `Result: ${result}, pays after the pause`
        : `Result: ${result}, pays in ${minutes(paysAtMs - nowMs)}`,
    data.serverTime,
  );
  return (
    <div>
      <Message title={own ?? words}>{own === null ? hostMayChange : `${words}. ${hostMayChange}`}</Message>
      <Why text="" />
    </div>
  );
}

function OfflineWords({ count }: { count: number }) {
  const placed = count === 1 ? "Your call is placed." : `Your ${count} calls are placed.`;
  return (
    <Message fit title="Reconnecting">
      {count === 0 ? "Nothing is lost." : `${placed} Nothing is lost.`}
    </Message>
  );
}

function Message({ title, fit = false, children }: { title: string; fit?: boolean; children: string }) {
  return (
    <p className={fit ? "say fit" : "say"}>
      <b>{title}</b>
      <span>{children}</span>
    </p>
  );
}

/** While the question is asked its picture has the place of the facts: the pool and the clock say them too. */
function pictureOf({ key, url, alt }: QuestionPicture) {
  return (
    <Unfolds key={key}>
      <img src={url} alt={alt} />
    </Unfolds>
  );
}

function OpenFacts() {
  const { event } = useView();
  const zone = useTimeZone();
  if (event === null) return null;
  if (event.picture !== undefined) return pictureOf(event.picture);
  const { callsCount, pool, closesAt } = event;
  const formatClose = isBesideOrder(event) ? formatMoment : formatClock;
  return (
    <dl className="facts">
      <Fact name="Calls">{formatCount(callsCount)}</Fact>
      <Fact name="At stake">{formatShortMoney(pool.totalCents)}</Fact>
      <Fact name="Closes">
        {closesAt === null ? "–" : <time dateTime={closesAt}>{formatClose(closesAt, zone)}</time>}
      </Fact>
    </dl>
  );
}

function VisibleFacts() {
  const { event, state } = useView();
  const players = usePlayersHere(state.playersOnline);
  const zone = useTimeZone();
  if (event === null) return null;
  if (event.picture !== undefined) return pictureOf(event.picture);
  const { durationSeconds, opensAt } = event;
  return (
    <dl className="facts">
      <Fact name="Open for">{durationText(durationSeconds)}</Fact>
      <Fact name="Opens">
        {opensAt === null ? "Not set yet" : <time dateTime={opensAt}>{formatClock(opensAt, zone)}</time>}
      </Fact>
      <Fact name="Players">{players}</Fact>
    </dl>
  );
}

function PendingFacts({ startsAt }: { startsAt: string | null }) {
  const { session, playersOnline } = useView().state;
  const here = usePlayersHere(playersOnline);
  const zone = useTimeZone();
  return (
    <dl className="facts">
      <Fact name="Questions">{session.eventsCount}</Fact>
      <Fact name="Here">{here}</Fact>
      <Fact name="Starts">
        {startsAt === null ? (
          "Started by the host"
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

/**
 * The result bar, whose code is fetched when the page is used, and at once while a result of the viewer may come. None is missed:
 * what to announce follows from the state of the screen. If the code cannot be fetched, the next change of the connection tries again.
 */
export function LateResultBar() {
  const [ResultBar, setBar] = useState<ComponentType | null>(null);
  const sync = useSync();
  const waits = useView().state.events.some(
    ({ state, myCalls }) => state !== "resolved" && myCalls.length > 0,
  );
  useEffect(() => {
    const load = waits ? whenIdle : whenUsed;
    load(() => {
      withLate(
        () => import("../results/result-bar.tsx"),
        (module) => startTransition(() => setBar(() => module.ResultBar)),
      );
    });
  }, [sync, waits]);
  return ResultBar === null ? null : <ResultBar />;
}
