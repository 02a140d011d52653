import { type ReactNode, useCallback, useEffect, useState } from "react";
import { countOf } from "#client/base/format/count.ts";
import * as words from "#client/base/format/words.ts";
import type { GuestSuggestion } from "#src/people/users/schemas.ts";
import type { FrontDoor as Door, FrontEvent } from "#src/show/front-door/schemas.ts";
import { formatMoney } from "../base/format/money.ts";
import { keepMeasuringServerTime, useServerTime } from "../base/live/clock.ts";
import { usePolling } from "../base/live/use-polling.ts";
import { useApi } from "../base/page/context.ts";
import { noPoolYet } from "../events/action-texts.ts";
import { oddsText } from "../events/estimate.ts";
import { LongQuestions } from "../sessions/long-questions.tsx";
import { RemindLink } from "../sessions/remind-link.tsx";
import { sessionPathIn } from "../sign-ins/become-guest.ts";
import { PlayAsGuest } from "../sign-ins/play-as-guest-form.tsx";
import { EventClock, IdleClock, StartClock } from "../ui/clock-face.tsx";
import { fill } from "../ui/fill.tsx";
import { SideShape } from "../ui/icon.tsx";
import { Pill } from "../ui/pill.tsx";
import { NoPool, PoolBar } from "../ui/pool-bar.tsx";
import { Moment } from "../ui/time.tsx";
import { PlayNow, type PlayRefusal } from "./play-now.tsx";

const what = "Call what happens next in a live show, with play money. Those who are right share the pool.";

const nothingLive = "Nothing is live right now.";

const joinNow = "Join now";

type FrontDoorProps = {
  loaded: Door;
  /** The path that the visitor came for, whose page begins with the sign-in; null for none. */
  returnTo: string | null;
  refusal: PlayRefusal | undefined;
  suggestion: GuestSuggestion;
  children: ReactNode;
};

const LIVE_EVERY_MS = 3_000;
const QUIET_EVERY_MS = 15_000;

const HOUR_MS = 3_600_000;
/** A longer name has smaller letters. */
const LONG_NAME = 45;

const ONE_DOLLAR_CENTS = 100;
const LONG_TITLE = 45;

/** What a stranger sees first: the game as it is now, and one large button that leads into it. */
export function FrontDoor({ loaded, returnTo, refusal, suggestion, children }: FrontDoorProps) {
  const door = useFrontDoor(loaded);
  const { live, next, guestGrantCents } = door;
  const session = live ?? next;
  const linked = sessionPathIn(returnTo);
  const path = session === null ? linked : `/sessions/${session.slug}`;
  const Heading = returnTo === null ? "h1" : "h2";
  return (
    <section className="front-door" aria-labelledby="front-door-title">
      <div>
        <Heading id="front-door-title">{words.slogan}</Heading>
        <p>{`${what} You start with ${formatMoney(guestGrantCents)} of play money.`}</p>
      </div>
      {path === null ? null : (
        <PlayNow
          to={path}
          label={live === null ? joinNow : words.playNow}
          refusal={refusal}
          suggestion={suggestion}
          givenName={live?.givenNames}
        />
      )}
      <Now door={door} isLinked={linked !== null} />
      {linked === null || linked === path ? null : (
        <PlayAsGuest returnTo={linked} className="btn ghost wide" label="Join the session of your link" />
      )}
      {children}
      <LongQuestions questions={door.openForDays} />
    </section>
  );
}

/** The same on a page that is about something else: the game as it is now, and the button. */
export function GameNow({ loaded }: { loaded: Door }) {
  const door = useFrontDoor(loaded);
  const { live, next } = door;
  const session = live ?? next;
  return (
    <div className="front-door">
      <p className="ink2">{what}</p>
      <Now door={door} isLinked={false} />
      {session === null ? null : (
        <PlayAsGuest
          returnTo={`/sessions/${session.slug}`}
          className="btn you lg wide"
          label={live === null ? joinNow : words.playNow}
        />
      )}
    </div>
  );
}

function Now({ door: { live, next, serverTime }, isLinked }: { door: Door; isLinked: boolean }) {
  if (live === null) return <NextStart next={next} renderedAt={serverTime} isLinked={isLinked} />;
  return <LiveNow live={live} renderedAt={serverTime} />;
}

/** The front door as it is now: the one that came with the page, and while it is visible every newer one. */
function useFrontDoor(loaded: Door): Door {
  const api = useApi();
  const [fetched, setFetched] = useState<Door | null>(null);
  const door = fetched !== null && fetched.serverTime > loaded.serverTime ? fetched : loaded;
  const poll = useCallback(() => {
    api.get("/api/v1/front_door").then(
      ({ frontDoor }) => setFetched(frontDoor),
      // Without an answer the next poll asks again.
      () => undefined,
    );
  }, [api]);
  const everyMs = door.live === null ? QUIET_EVERY_MS : LIVE_EVERY_MS;
  usePolling(poll, { everyMs, enabled: true, whenVisible: true });
  useEffect(() => keepMeasuringServerTime(() => undefined), []);
  return door;
}

/**
 * While nothing is live: when the next session starts, and what the game looks like. Only the picture gives way, so another session
 * moves nothing. @param isLinked who comes has a link to one.
 */
type NextProps = { next: Door["next"]; renderedAt: string; isLinked: boolean };

function NextStart({ next, renderedAt, isLinked }: NextProps) {
  const startsAt = next?.startsAt ?? null;
  return (
    <section className="panel pad live-now next-start" aria-label={nothingLive}>
      <p className="small ink2">{next === null ? nothingLive : words.next}</p>
      {/* A new element for another name: the same one would be seen to jump. */}
      <Title key={next?.id} text={next?.name ?? titleWithout(isLinked)} />
      <div className="row">
        <MovingPicture />
        {isSoon(startsAt, renderedAt) ? <StartClock startsAt={startsAt} renderedAt={renderedAt} /> : null}
      </div>
      <p>{next === null ? null : <When startsAt={startsAt} />}</p>
      <div>{next === null || startsAt === null ? null : <RemindLink session={next} className="btn" />}</div>
    </section>
  );
}

function Title({ text }: { text: string }) {
  return <h2 data-len={text.length > LONG_NAME ? "long" : undefined}>{text}</h2>;
}

function titleWithout(isLinked: boolean): string {
  return isLinked ? "Join, and you are there when it starts." : "No show is planned yet.";
}

function When({ startsAt }: { startsAt: string | null }) {
  return startsAt === null ? words.startsByHost : fill("Starts {at}", { at: <Moment at={startsAt} /> });
}

/** Before that the time of the start says more than a clock. */
function isSoon(startsAt: string | null, renderedAt: string): boolean {
  return startsAt !== null && Date.parse(startsAt) - Date.parse(renderedAt) < HOUR_MS;
}

/**
 * The game in one picture: two calls make a pool, the clock runs out, and the side that was right gets the pool. It moves once, for
 * less than five seconds, so nobody needs to stop it. With reduced motion it is the end of it.
 */
function MovingPicture() {
  return (
    <svg className="moving-picture" viewBox="0 0 320 120" aria-hidden="true">
      <g className="picture-clock">
        <path className="track" d="M92 60L60 92A32 32 0 0 1 60 28Z" />
        <path className="run" pathLength="100" d="M92 60L60 92A32 32 0 0 1 60 28Z" />
        <path className="tick" d="M45 60l9 9L70 52" />
      </g>
      <g className="picture-sides">
        <circle className="true" cx="146" cy="36" r="16" />
        <path className="false" d="M280 18L298 36L280 54L262 36Z" />
      </g>
      <g className="picture-pool">
        <path className="true" d="M138 76H214V100H138A12 12 0 0 1 138 76Z" />
        <path className="false" d="M218 76H288L300 88L288 100H218Z" />
      </g>
      <path className="picture-win" d="M138 76H288L300 88L288 100H138A12 12 0 0 1 138 76Z" />
    </svg>
  );
}

/** The question that is live: its clock, its pool, and what a dollar on either side could pay. */
function LiveNow({ live, renderedAt }: { live: NonNullable<Door["live"]>; renderedAt: string }) {
  const { name, paused, event } = live;
  return (
    <section className="panel pad live-now" aria-label={`Live now: ${name}`}>
      <p className="row small">
        {paused ? (
          <Pill icon="pause" tone="warn" text={words.paused} />
        ) : (
          <Pill icon="true" tone="live" text="Live now" />
        )}
        <span className="clip ink2">{name}</span>
      </p>
      {event === null ? (
        <NoQuestion />
      ) : (
        <Question key={event.id} event={event} paused={paused} renderedAt={renderedAt} />
      )}
    </section>
  );
}

type QuestionProps = { event: FrontEvent; paused: boolean; renderedAt: string };

function Question({ event, paused, renderedAt }: QuestionProps) {
  return (
    <>
      <h2 data-len={event.title.length > LONG_TITLE ? "long" : undefined}>{event.title}</h2>
      <div className="live-now-stage">
        <Clock event={event} paused={paused} renderedAt={renderedAt} />
        <Chances event={event} renderedAt={renderedAt} />
      </div>
      <PoolBar event={event} />
    </>
  );
}

/** Between two questions, in the same rows. */
function NoQuestion() {
  return (
    <>
      <h2>The next question is on its way.</h2>
      <div className="live-now-stage">
        <IdleClock />
      </div>
      <NoPool text={noPoolYet} />
    </>
  );
}

/** Counts down to the close, or to the opening. Otherwise it is empty. */
function Clock({ event, paused, renderedAt }: QuestionProps) {
  const { state, opensAt, closesAt } = event;
  const at = { open: closesAt, visible: opensAt, closed: null }[state];
  if (paused || at === null) return <IdleClock locked={state === "closed"} />;
  return <EventClock event={event} renderedAt={renderedAt} />;
}

/** What a dollar could pay on each side; once the time is up, that the result is awaited. */
function Chances({ event, renderedAt }: Pick<QuestionProps, "event" | "renderedAt">) {
  const { state, closesAt, pool, callsCount } = event;
  const closesAtMs = Date.parse(closesAt ?? "");
  const isOver = useServerTime(
    (nowMs) => state === "closed" || (state === "open" && nowMs >= closesAtMs),
    renderedAt,
  );
  if (isOver) return <p className="strong">Calls are closed. Waiting for the result.</p>;
  return (
    <div className="chances">
      {callsCount === 0 ? (
        <p className="strong">First call: you win what is put against you.</p>
      ) : (
        <>
          <Chance side="true" label={event.trueLabel} pool={pool} />
          <Chance side="false" label={event.falseLabel} pool={pool} />
        </>
      )}
      <p className="small ink2 num">{countOf(callsCount, "call")}</p>
    </div>
  );
}

/** While the other side is empty, a call would only come back: it says what it hopes for. */
function Chance({ side, label, pool }: { side: "true" | "false"; label: string; pool: FrontEvent["pool"] }) {
  const odds = oddsText(pool, side, ONE_DOLLAR_CENTS);
  return (
    <p className="chance">
      <b className="side-mark">
        <SideShape side={side} /> <span>{label}</span>
      </b>
      <span className="small num">{odds === "" ? "Nobody is against it." : odds}</span>
    </p>
  );
}
