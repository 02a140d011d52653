import type { CSSProperties } from "react";
import { useLocation, useRouteLoaderData } from "react-router";
import { useAwake } from "#client/base/browser/use-awake.ts";
import { CardClock } from "#client/card/card-clock.tsx";
import { CardMeta } from "#client/card/card-meta.tsx";
import { cardTitle } from "#client/card/event-card.tsx";
import { resultOf } from "#client/events/result-label.ts";
import { useCurrentEvent } from "#client/events/use-current-event.ts";
import { useView, type View, ViewContext } from "#client/events/view.ts";
import { BrandBand } from "#client/sessions/brand-band.tsx";
import type { SessionData } from "#client/sessions/load-session.ts";
import { SESSION_ROUTE } from "#client/ui/use-here.ts";
import type { Brand } from "#src/show/brands/schemas.ts";
import { Between, betweenTitle } from "./between.tsx";
import { ChatHighlights } from "./chat-highlights.tsx";
import { ConnectionNote } from "./connection-note.tsx";
import { Finale } from "./finale.tsx";
import { Join } from "./join.tsx";
import { LeadersBeside } from "./leaders.tsx";
import { Lobby } from "./lobby.tsx";
import { type Scene, useScene } from "./scene.ts";
import { StageSides } from "./sides.tsx";
import { stageEventAt } from "./stage-event.ts";
import { StageResult } from "./stage-result.tsx";
import type { StageState } from "./stage-state.ts";
import * as texts from "./stage-texts.ts";
import { StageWords } from "./stage-words.tsx";
import { widthOf } from "./text-width.ts";
import { useLiveStage } from "./use-live-stage.ts";

/** Without JavaScript the page is loaded again so often. */
const RELOAD_S = 10;

// Decision: a big screen is the Action page without a viewer: the same reducer, phases, clock and texts, so both always say the same.
// Nobody sits at it, so it asks again by itself, says how old its state is, and never shows a sign-in page.

/**
 * The big screen of a session, for a projector or a stream: no controls, nothing of the viewer. `?overlay=1` draws it on a
 * transparent ground over a video, `?chat=0` without the chat.
 */
export function StageScreen() {
  const slug = useRouteLoaderData<SessionData>(SESSION_ROUTE)?.session.slug;
  // The key resets all state when another session is opened.
  return <Live key={slug} />;
}

function Live() {
  const { state, data, freshness } = useLiveStage();
  const { event, phase, closeWarning } = useCurrentEvent(state, data.serverTime, stageEventAt);
  const isOverlay = useSwitch("overlay") === "1";
  const hasChat = useSwitch("chat") !== "0";
  const scene = useScene(state, { event, phase }, data.serverTime);
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
      <main
        className={isOverlay ? "big-screen overlay" : "big-screen"}
        data-scene={scene}
        data-phase={phase}
        {...accentOf(state.session.settings.brand)}
      >
        <noscript>
          <meta httpEquiv="refresh" content={String(RELOAD_S)} />
        </noscript>
        {/* New elements for another layout: the same ones would be seen to jump. */}
        <Now key={scene} scene={scene} state={state} />
        <aside key={`beside ${isShow ? "show" : scene}`} className="beside">
          <BrandBand brand={state.session.settings.brand} name={state.session.name} />
          <Join session={state.session} code={state.joinCode} url={state.joinUrl} />
          {isShow && (scene !== "between" || Boolean(state.teams?.length)) ? <LeadersBeside /> : null}
          {hasChat && scene !== "end" ? <ChatHighlights messages={state.messages} /> : null}
          <ConnectionNote freshness={freshness} asOf={state.asOf} />
        </aside>
      </main>
    </ViewContext>
  );
}

type AccentStyle = CSSProperties & { "--brand": string };

/** The accent of the session, for the style sheet. */
function accentOf(brand: Brand | undefined) {
  if (brand?.accent === undefined) return {};
  const style: AccentStyle = { "--brand": brand.accent };
  return { "data-brand": "", style };
}

/** What is on: who has come, the question, its result, the leaders, or the end. */
function Now({ scene, state }: { scene: Scene; state: StageState }) {
  const view = useView();
  const title = titleOf(scene, view);
  return (
    <section className="on-now" aria-label={title}>
      <CardMeta />
      <h1 data-len={lengthOf(title, scene)} dir="auto">
        {title}
      </h1>
      <Filling scene={scene} state={state} />
    </section>
  );
}

function Filling({ scene, state }: { scene: Scene; state: StageState }) {
  const { event } = useView();
  if (scene === "lobby") return <Lobby arrivals={state.arrivals} teams={state.teams ?? []} />;
  if (scene === "end")
    return <Finale leaders={state.leaders} teams={state.teams ?? []} evening={state.evening} />;
  if (scene === "between" || event === null) return <Between teams={state.teams ?? []} />;
  return (
    <>
      {scene === "result" ? (
        <StageResult key={`${event.id} ${resultOf(event)}`} event={event} outcome={state.outcome} />
      ) : (
        <div className="on-air">
          <CardClock />
          <StageWords />
        </div>
      )}
      <StageSides event={event} />
    </>
  );
}

function titleOf(scene: Scene, view: View): string {
  if (scene === "lobby") return view.state.session.name;
  if (scene === "end") return texts.over;
  return scene === "between" ? betweenTitle(view) : cardTitle(view);
}

/** The lengths from which a title has smaller letters, in letters' heights: those of other scripts are wider. */
const LONG_TITLES = [28, 52, 88] as const;
/** A session's name leaves room for those of the players. */
const LONG_NAMES = [11, 32, 60] as const;

function lengthOf(title: string, scene: Scene): "long" | "longest" | "huge" | undefined {
  const [long, longest, huge] = scene === "lobby" ? LONG_NAMES : LONG_TITLES;
  const width = widthOf(title);
  if (width > huge) return "huge";
  if (width > longest) return "longest";
  return width > long ? "long" : undefined;
}

/** A parameter of the address. */
function useSwitch(name: "overlay" | "chat"): string | null {
  return new URLSearchParams(useLocation().search).get(name);
}

const noLeaders: View["data"]["leaders"] = { leaders: [], me: null, exclusion: null, totalCount: 0 };
const nothing = () => undefined;
const never = async () => undefined;

/** What the parts of the Action page read about their viewer: the big screen has none. */
const onlyWatching: Pick<
  View,
  "refused" | "watching" | "playable" | "unread" | "viewerCalls" | "placing" | "recall"
> = {
  recall: () => undefined,
  refused: false,
  watching: true,
  playable: false,
  unread: false,
  viewerCalls: null,
  placing: {
    pending: null,
    resting: false,
    takenBack: null,
    refusal: null,
    news: "",
    place: never,
    cancel: never,
    refuse: nothing,
    announce: nothing,
  },
};
