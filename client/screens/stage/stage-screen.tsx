import { useLocation, useRouteLoaderData } from "react-router";
import { useAwake } from "#client/base/browser/use-awake.ts";
import { CardClock } from "#client/card/card-clock.tsx";
import { CardMeta } from "#client/card/card-meta.tsx";
import { cardTitle } from "#client/card/event-card.tsx";
import { useCurrentEvent } from "#client/events/use-current-event.ts";
import { useView, type View, ViewContext } from "#client/events/view.ts";
import type { SessionData } from "#client/sessions/load-session.ts";
import { SESSION_ROUTE } from "#client/ui/use-here.ts";
import { ChatHighlights } from "./chat-highlights.tsx";
import { ConnectionNote } from "./connection-note.tsx";
import { Join } from "./join.tsx";
import { Podium } from "./podium.tsx";
import { StageSides } from "./sides.tsx";
import { StageResult } from "./stage-result.tsx";
import { StageWords } from "./stage-words.tsx";
import { useLiveStage } from "./use-live-stage.ts";

const LONG_TITLE = 50;
const LONGEST_TITLE = 95;

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
  const { event, phase, closeWarning } = useCurrentEvent(state, data.serverTime);
  const isOverlay = useSwitch("overlay") === "1";
  const hasChat = useSwitch("chat") !== "0";
  useAwake();
  const view: View = {
    ...onlyWatching,
    state,
    data: { ...data, formKey: "", active: null, leaders: { ...noLeaders, leaders: data.leaders } },
    event,
    phase,
    closeWarning,
    offline: freshness === "stale",
  };
  return (
    <ViewContext value={view}>
      <main className={isOverlay ? "big-screen overlay" : "big-screen"} data-phase={phase}>
        <Now />
        <aside className="beside">
          <Join session={state.session} url={data.joinUrl} />
          {event === null ? null : <Podium />}
          {hasChat ? <ChatHighlights messages={state.messages} /> : null}
        </aside>
        <ConnectionNote freshness={freshness} asOf={state.asOf} />
      </main>
    </ViewContext>
  );
}

/** What is on: the question, and the clock or the result. Between the events and at the end the podium is in its place. */
function Now() {
  const view = useView();
  const { event, phase } = view;
  const title = cardTitle(view);
  return (
    <section className="on-now" aria-label={title}>
      <CardMeta />
      <h1 data-len={lengthOf(title)}>{title}</h1>
      {phase === "resolved" && event !== null ? (
        <StageResult key={event.version} event={event} />
      ) : (
        <div className="on-air">
          {event === null && phase !== "pending" ? null : <CardClock />}
          <StageWords />
        </div>
      )}
      {event === null ? <Podium /> : <StageSides event={event} />}
    </section>
  );
}

function lengthOf(title: string): "long" | "longest" | undefined {
  if (title.length > LONGEST_TITLE) return "longest";
  return title.length > LONG_TITLE ? "long" : undefined;
}

/** A parameter of the address. */
function useSwitch(name: "overlay" | "chat"): string | null {
  return new URLSearchParams(useLocation().search).get(name);
}

const noLeaders: View["data"]["leaders"] = { leaders: [], me: null, exclusion: null, totalCount: 0 };
const nothing = () => undefined;
const never = async () => undefined;

/** What the parts of the Action page read about their viewer: the big screen has none. */
const onlyWatching: Pick<View, "refused" | "watching" | "playable" | "unread" | "viewerCalls" | "placing"> = {
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
