import "#client/styles/stage/stage.css";
import { type CSSProperties, Fragment } from "react";
import { useLocation, useRouteLoaderData } from "react-router";
import { useAwake } from "#client/base/browser/use-awake.ts";
import { useOrigin } from "#client/base/browser/use-hydrated.ts";
import { countOf } from "#client/base/format/count.ts";
import { formatShortMoney } from "#client/base/format/money.ts";
import { formatClock } from "#client/base/format/time-format.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import * as shared from "#client/base/format/words.ts";
import { useServerTime } from "#client/base/live/clock.ts";
import type { ScreenInChunk } from "#client/base/page/handle.ts";
import { CardClock } from "#client/card/card-clock.tsx";
import { CardMeta } from "#client/card/card-meta.tsx";
import { cardTitle } from "#client/card/event-card.tsx";
import { type Phase, useCurrentEvent } from "#client/events/current-event.ts";
import { resultOf } from "#client/events/result-label.ts";
import { type Scene, sceneAt, stageEventAt } from "#client/events/stage-scene.ts";
import { useView, type View, ViewContext } from "#client/events/view.ts";
import { BrandBand } from "#client/sessions/brand-band.tsx";
import type { SessionData } from "#client/sessions/load-session.ts";
import { Icon } from "#client/ui/icon.tsx";
import { PoolBar, shareOfTrue, sharesInPercent } from "#client/ui/pool-bar.tsx";
import { QrCode } from "#client/ui/qr-code.tsx";
import { SESSION_ROUTE } from "#client/ui/use-here.ts";
import type { EventResult } from "#db/lists/events.ts";
import { site } from "#src/settings/contract.ts";
import type { Brand } from "#src/show/brands/schemas.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import { spacedCode } from "#src/show/join-codes/contract.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import { overlayParts } from "#src/show/stage/contract.ts";
import type { StageMessage } from "#src/show/stage/schemas.ts";
import { Between, betweenTitle } from "./between.tsx";
import { Finale } from "./finale.tsx";
import { LeadersBeside } from "./leaders.tsx";
import { loadStage } from "./load-stage.ts";
import { Lobby } from "./lobby.tsx";
import { noLeaders, onlyWatching } from "./only-watching.ts";
import { StageResult } from "./stage-result.tsx";
import type { StageState } from "./stage-state.ts";
import { lengthOf } from "./text-width.ts";
import { type Freshness, useLiveStage } from "./use-live-stage.ts";

/** In the other phases something else fills the screen. */
const wordsFor: Partial<Record<Phase, (calls: number) => string>> = {
  visible: () => "Get ready to call it.",
  closing: (calls) => `Last seconds! ${countOf(calls, "call")}.`,
  locking: () => "Calls are closing.",
  closed: (calls) => `Calls are closed. ${countOf(calls, "call")} placed.`,
  paused: () => shared.pausedByTheHost,
  withdrawn: () => "Skipped by the host. All wagers are back.",
};

const SHOWN = 2;

/** Without JavaScript the page is loaded again so often. */
const RELOAD_S = 10;

/** The big screen, in a chunk of its own: players never load its code. */
export const stageScreen = { Component: StageScreen, loader: loadStage } satisfies ScreenInChunk;

// Decision: a big screen is the Action page without a viewer: the same reducer, phases, clock and texts, so both always say the same.
// Nobody sits at it, so it asks again by itself, says how old its state is, and never shows a sign-in page.

/**
 * The big screen of a session, for a projector or a stream: no controls, nothing of the viewer. `?overlay=1` draws it on a
 * transparent ground over a video, with another word a part of it in a place (overlayParts); `?chat=0` without the chat. The card is the
 * same for a frame in another page, with a link to the game.
 */
export function StageScreen() {
  const slug = useRouteLoaderData<SessionData>(SESSION_ROUTE)?.session.slug;
  // The key resets all state when another session is opened.
  return <Live key={slug} />;
}

function Live() {
  const { state, data, freshness } = useLiveStage();
  const { event, phase, closeWarning } = useCurrentEvent(state, data.serverTime, stageEventAt);
  const look = useLook();
  const hasChat = useSwitch("chat") !== "0";
  const scene = useServerTime((nowMs) => sceneAt(state, { event, phase }, nowMs), data.serverTime);
  const query = useStageQuery();
  const isShow = scene !== "lobby" && scene !== "end";
  useAwake();
  const view: View = {
    ...onlyWatching,
    state,
    data: {
      ...data,
      formKey: "",
      formCents: 100,
      active: null,
      leaders: { ...noLeaders, leaders: data.leaders },
    },
    event,
    phase,
    closeWarning,
    offline: freshness === "stale",
  };
  return (
    <ViewContext value={view}>
      <main {...look} data-scene={scene} data-phase={phase} {...accentOf(state.session.settings.brand)}>
        <noscript>
          <meta httpEquiv="refresh" content={String(RELOAD_S)} />
        </noscript>
        {state.events.map(({ id, state: name, picture }) =>
          name === "visible" && picture !== undefined ? (
            <link key={id} rel="preload" as="image" href={picture.url + query} />
          ) : null,
        )}
        {/* New elements for another layout: the same ones would be seen to jump. */}
        <Now key={scene} scene={scene} state={state} />
        <aside key={`beside ${isShow ? "show" : scene}`} className="beside">
          <BrandBand brand={state.session.settings.brand} name={state.session.name} />
          <Join session={state.session} code={state.joinCode} url={state.joinUrl} />
          {isShow && (scene !== "between" || Boolean(state.teams?.length)) ? <LeadersBeside /> : null}
          {hasChat && scene !== "end" ? <ChatHighlights messages={state.messages} /> : null}
          <ConnectionNote freshness={freshness} asOf={state.asOf} />
        </aside>
        {look.className === CARD ? <PlayLink slug={state.session.slug} /> : null}
      </main>
    </ViewContext>
  );
}

const CARD = "big-screen framed-card";

/** What the address says of the look. A word that it does not know is all of the overlay. */
function useLook() {
  const [part, place] = [useSwitch("overlay"), useSwitch("place")];
  if (useLocation().pathname.replace(/\/$/, "").endsWith("/card")) return { className: CARD };
  if (part === null || part === "0") return { className: "big-screen" };
  const isPart = part !== "1" && Object.hasOwn(overlayParts, part);
  return {
    className: "big-screen overlay",
    ...(isPart ? { "data-part": part, "data-place": place ?? "" } : {}),
  };
}

/** In a window of its own, where the browser keeps its sign-in. */
function PlayLink({ slug }: { slug: string }) {
  return (
    <a className="btn primary play-link" href={`/sessions/${slug}`} target="_blank" rel="noreferrer">
      Play along
    </a>
  );
}

/** The accent of the session, or else of the site, for the style sheet. */
function accentOf(brand: Brand | undefined) {
  const accent = brand?.accent ?? site().accent?.color;
  if (accent === undefined) return {};
  const style: CSSProperties & { "--brand": string } = { "--brand": accent };
  return { "data-brand": "", style };
}

/** What is on: who has come, the question, its result, the leaders, or the end. */
function Now({ scene, state }: { scene: Scene; state: StageState }) {
  const view = useView();
  const title = titleOf(scene, view);
  return (
    <section className="on-now" aria-label={title}>
      <CardMeta />
      <h1 data-len={lengthOf(title, scene === "lobby" ? LONG_NAMES : LONG_TITLES)}>{title}</h1>
      <Filling scene={scene} state={state} />
    </section>
  );
}

function Filling({ scene, state }: { scene: Scene; state: StageState }) {
  const { event } = useView();
  const query = useStageQuery();
  if (scene === "lobby") return <Lobby arrivals={state.arrivals} teams={state.teams ?? []} />;
  if (scene === "end")
    return <Finale leaders={state.leaders} teams={state.teams ?? []} evening={state.evening} />;
  if (scene === "between" || event === null) return <Between teams={state.teams ?? []} />;
  return (
    <>
      {scene === "result" ? (
        <StageResult
          key={`${event.id} ${resultOf(event)}`}
          event={event}
          outcome={state.outcome}
          was={wasOf(state, event)}
        />
      ) : (
        <div className="on-air">
          <CardClock />
          <StageWords />
          {event.picture === undefined ? null : (
            <div className="shown-picture">
              <img src={event.picture.url + query} alt={event.picture.alt} />
            </div>
          )}
        </div>
      )}
      <StageSides event={event} />
    </>
  );
}

/** The result before a correction; null where there was none. */
function wasOf({ decisions = [] }: StageState, { id }: EventView): EventResult | null {
  return decisions.find(({ eventId }) => eventId === id)?.corrected?.was ?? null;
}

function titleOf(scene: Scene, view: View): string {
  if (scene === "lobby") return view.state.session.name;
  if (scene === "end") return "That was it. Thank you for calling.";
  return scene === "between" ? betweenTitle(view) : cardTitle(view);
}

/** The lengths from which a title has smaller letters, in letters' heights: those of other scripts are wider. */
const LONG_TITLES = [28, 52, 88] as const;
/** A session's name leaves room for those of the players. */
const LONG_NAMES = [11, 32, 60] as const;

/** Pictures open by the stage link too. */
function useStageQuery(): string {
  const key = useSwitch("key");
  return key === null ? "" : `?key=${encodeURIComponent(key)}`;
}

function useSwitch(name: "overlay" | "place" | "chat" | "key"): string | null {
  return new URLSearchParams(useLocation().search).get(name);
}

function ChatHighlights({ messages }: { messages: readonly StageMessage[] }) {
  if (messages.length === 0) return null;
  return (
    <section className="heard">
      <h2 className="vh">Chat</h2>
      <ul>
        {messages.slice(-SHOWN).map(({ id, username, body }) => (
          <li key={id}>
            <b translate="no">{username}</b> <span>{body}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Says when the screen is not connected, and from when its state is if that is old. */
function ConnectionNote({ freshness, asOf }: { freshness: Freshness; asOf: string }) {
  const zone = useTimeZone();
  const text =
    freshness === "stale"
      ? `No connection. This is how it was at ${formatClock(asOf, zone)}.`
      : "Reconnecting. Asking again every second.";
  return (
    <div className="connection" role="status">
      {freshness === "live" ? null : (
        <p className={freshness}>
          <Icon name={freshness === "stale" ? "offline" : "warning"} />
          <span>{text}</span>
        </p>
      )}
    </div>
  );
}

function StageWords() {
  const { event, phase } = useView();
  const calls = event?.callsCount ?? 0;
  if (phase === "open" && event !== null) return <Called calls={calls} poolCents={event.pool.totalCents} />;
  const words = wordsFor[phase]?.(calls);
  return words === undefined ? null : (
    <p className="words num" translate={calls === 0 ? undefined : "no"}>
      {words}
    </p>
  );
}

/** Each on a line of its own: larger figures move nothing. */
function Called({ calls, poolCents }: { calls: number; poolCents: number }) {
  return (
    <p className="words num" translate="no">
      <span className="callers">{countOf(calls, "call")}</span>{" "}
      <span>{`${formatShortMoney(poolCents)} at stake`}</span>
    </p>
  );
}

/** The two sides with their labels, their shares and their money, over the pool's bar. True is always left. */
function StageSides({ event }: { event: EventView }) {
  const { pool, trueLabel, falseLabel } = event;
  const percent = sharesInPercent(shareOfTrue(pool));
  return (
    <section className="both-sides">
      {/* The bar says the same to screen readers. */}
      <div className="side-names" aria-hidden="true">
        <p>
          <Icon name="true" className="shape-true" />
          <span>
            <b>{trueLabel}</b>
            <SideSum share={pool.total === 0 ? null : percent.true} cents={pool.trueCents} />
          </span>
        </p>
        <p>
          <span>
            <b>{falseLabel}</b>
            <SideSum share={pool.total === 0 ? null : percent.false} cents={pool.falseCents} />
          </span>
          <Icon name="false" className="shape-false" />
        </p>
      </div>
      <PoolBar event={event} />
    </section>
  );
}

function SideSum({ share, cents }: { share: string | null; cents: number }) {
  return (
    <span className="num" translate="no">
      {share === null ? null : <b>{share}</b>} <span>{formatShortMoney(cents)}</span>
    </span>
  );
}

/** How to join, or how players find their results afterwards: the code, and the address for those who cannot scan it. */
function Join({ session, code, url: publicUrl }: { session: SessionView; code: string; url: string }) {
  const url = useReachable(publicUrl);
  const isOver = session.state === "stopped";
  const label = isOver ? `QR code: your results of ${session.name}` : `QR code: join ${session.name}`;
  const { origin, pathname } = new URL(url);
  return (
    <section className="join" translate="no">
      <QrCode text={url} label={label} />
      <p>
        <b>{isOver ? "Scan for your results" : "Scan to play"}</b>
        <span className="address">
          {`${origin}${pathname}`
            .replace(/^https?:\/\//, "")
            .split(/(?<=\/)/)
            .map((part) => (
              <Fragment key={part}>
                <span>{part}</span>
                <wbr />
              </Fragment>
            ))}
        </span>
        <b className="code num">{spacedCode(code)}</b>
      </p>
    </section>
  );
}

/**
 * Without a public address the product is known by one that only its own computer reaches. Then the code holds the one by which
 * this browser has reached it.
 */
function useReachable(publicUrl: string): string {
  const origin = useOrigin();
  return origin !== "" && isLocal(publicUrl) ? publicUrl.replace(/^https?:\/\/[^/]+/, origin) : publicUrl;
}

function isLocal(url: string): boolean {
  return /^https?:\/\/(?:localhost|127(?:\.\d+){3}|\[::1\])(?:[:/]|$)/.test(url);
}
