import { useEffect } from "react";
import { useLoaderData, useLocation } from "react-router";
import type { ApiError } from "#client/base/api/api.ts";
import { useServerTime } from "#client/base/live/clock.ts";
import { type Sync, useSync } from "#client/base/live/connection.ts";
import { usePolling } from "#client/base/live/use-polling.ts";
import { useViewer } from "#client/base/page/context.ts";
import { stageKeyIn } from "#client/base/page/guard.ts";
import { useLiveSession } from "#client/sessions/use-live-session.ts";
import type { SessionMessage } from "#src/live/relay/schemas.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import { leftToUndoStop } from "#src/show/sessions/pages/contract.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import { fetchStage, type StageData } from "./load-stage.ts";
import { initialStageState, reduceStageState, type StageSnapshot, type StageState } from "./stage-state.ts";

/** Nothing more can be seen here with this sign-in or this link. After any other refusal the screen asks again. */
const GONE: readonly number[] = [401, 403, 404];
/** How often a screen asks that gets no messages: that of a signed-out viewer, and one without a connection. */
const ASK_EVERY_MS = 1_000;
/** How often a screen looks again that does get them. Nobody sits at it who would notice that it is wrong. */
const LOOK_EVERY_MS = 10_000;
/** The same in a lobby: messages say how many are here, and not who. However many come at once, it is one request. */
const LOOK_WHO_EVERY_MS = 2_000;
/** A screen that has heard nothing for so long says so. */
const STALE_AFTER_MS = 6_000;
/** A page that the server has told to stay away loads itself again, as soon as the server answers. */
const RELOAD_EVERY_MS = 10_000;

/** Whether the screen is up to date. `catching-up`: it gets no messages, and asks instead. `stale`: it shows the last known state. */
export type Freshness = "live" | "catching-up" | "stale";

/**
 * The session as loaded, continued by the messages of the cable from the page's offset for a signed-in viewer, and by asking
 * each second for everybody else: signed-out clients have no cable. Both ways end in the reducer of the Action page.
 */
export function useLiveStage(): { state: StageState; data: StageData; freshness: Freshness } {
  const data = useLoaderData<StageData>();
  const isSignedIn = useViewer() !== null;
  const sync = useSync();
  const { pathname, search } = useLocation();
  const key = stageKeyIn(pathname + search);
  const { state, refetch } = useLiveSession({
    data,
    initialState: initialStageState,
    reduce: reduceStageState,
    snapshotOf,
    query: { key },
    fetchData: (api, slug) => fetchStage(api, { slug, key }),
    onFetched: () => undefined,
    // Nobody may see it here any more, or it is gone, or the sign-in has ended. The server's page says what to do, and comes back.
    onRefused: ({ status }: ApiError) => {
      if (GONE.includes(status)) globalThis.location.reload();
    },
    needsRefetch: bringsMore,
    subscribed: isSignedIn,
  });
  const isFollowing = isSignedIn && (sync === "live" || sync === "poor");
  const isUndoable = useServerTime((nowMs) => leftToUndoStop(state.session, nowMs) > 0, data.serverTime);
  const isOver = !isSignedIn && state.session.state === "stopped" && !isUndoable;
  // After the end only a late result or a correction changes the first three.
  const lookEveryMs = state.session.state === "pending" ? LOOK_WHO_EVERY_MS : LOOK_EVERY_MS;
  const everyMs = isFollowing || isOver ? lookEveryMs : ASK_EVERY_MS;
  usePolling(refetch, { everyMs, enabled: true, whenVisible: false });
  useReloading(sync);
  const isOld = useServerTime((nowMs) => nowMs - Date.parse(state.asOf) > STALE_AFTER_MS, data.serverTime);
  return { state, data, freshness: isFollowing || isOver ? "live" : freshnessOf(sync, isOld) };
}

function freshnessOf(sync: Sync, isOld: boolean): Freshness {
  if (isOld) return "stale";
  return sync === "live" || sync === "poor" ? "live" : "catching-up";
}

function snapshotOf(data: StageData, session: SessionView): StageSnapshot {
  const { serverTime: asOf, ...shown } = data;
  return { ...shown, session, nextSession: null, me: null, asOf };
}

/** What messages do not say: when a result was decided or corrected, how many were right, the figures at the end; and that a deleted session is gone. */
function bringsMore(message: SessionMessage): boolean {
  return (
    message.sourceType === "Session" || (message.sourceType === "Event" && isDecided(message.detail.event))
  );
}

function isDecided({ state, pendingResult }: EventView): boolean {
  return state === "resolved" || pendingResult !== null;
}

/** The server lets the page follow no more, for example because a newer page of this browser took its place: a new page may. */
function useReloading(sync: Sync): void {
  const isRefused = sync === "refused";
  useEffect(() => {
    if (!isRefused) return;
    const timer = setInterval(() => {
      fetch("/up", { cache: "no-store" }).then(
        ({ ok }) => ok && globalThis.location.reload(),
        // Without an answer a reload would end in the browser's own error page.
        () => undefined,
      );
    }, RELOAD_EVERY_MS);
    return () => clearInterval(timer);
  }, [isRefused]);
}
