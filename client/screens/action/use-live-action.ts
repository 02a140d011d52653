import { type Dispatch, useCallback, useEffect, useRef } from "react";
import { useLoaderData, useParams, useRevalidator } from "react-router";
import type { Api, ApiError } from "#client/base/api/api.ts";
import { useServerTime } from "#client/base/live/clock.ts";
import { isDismissed } from "#client/base/live/connection.ts";
import { usePolling } from "#client/base/live/use-polling.ts";
import { useApi, useViewer } from "#client/base/page/context.ts";
import { useOwnCalls } from "#client/calls/own-calls.ts";
import {
  type ActionSnapshot,
  type ActionState,
  initialActionState,
  type OwnActionChange,
  reduceActionState,
} from "#client/events/action-state.ts";
import type { ApplyCall } from "#client/events/known-calls.ts";
import { type ActionData, fetchAction, type FetchedAction } from "#client/events/load-action.ts";
import type { View } from "#client/events/view.ts";
import { refetchDelayMs } from "#client/leaderboard/refetch-delay.ts";
import { useOwnMessagesMissed } from "#client/results/live-messages.tsx";
import { sessionPath } from "#client/sessions/load-session.ts";
import { useLiveSession } from "#client/sessions/use-live-session.ts";
import { useWallet } from "#client/wallet/wallet-state.tsx";
import type { SessionMessage } from "#src/live/relay/schemas.ts";
import type { WalletView } from "#src/money/wallet/schemas.ts";
import type { ScoreView } from "#src/play/leaderboard/schemas.ts";
import { leftToUndoStop } from "#src/show/sessions/pages/contract.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";

/** How often the page of a stopped session looks for a live one. */
const NEXT_SESSION_POLL_MS = 5_000;
/** How often a signed-out viewer's page polls; by so much it may be behind the game. */
const WATCH_POLL_MS = 2_000;

export type LiveAction = {
  state: ActionState;
  data: ActionData;
  applyCall: ApplyCall;
  recall: View["recall"];
};

/** The session as loaded, kept live by the cable, and fetched again when messages were missed. */
export function useLiveAction(): LiveAction {
  const data = useLoaderData<ActionData>();
  const viewerId = useViewer()?.id ?? null;
  const watching = viewerId === null;
  const { receiveWallet } = useWallet();
  const { revalidate } = useRevalidator();
  const api = useApi();
  const { slug } = useParams();
  const { session, state, dispatch, refetch } = useLiveSession({
    data,
    initialState: initialActionState,
    reduce: reduceActionState,
    snapshotOf,
    fetchData: async (quick, slug): Promise<FetchedAction & { wallet: WalletView | null }> => {
      const [fetched, wallet] = await Promise.all([
        fetchAction(quick, { slug, watching }),
        watching ? null : quick.get(`/api/v1/users/${viewerId}/wallet`),
      ]);
      return { ...fetched, wallet: wallet?.wallet ?? null };
    },
    onFetched: ({ wallet }) => {
      if (wallet !== null) receiveWallet(wallet);
    },
    onRefused: async ({ status }: ApiError, change: (own: OwnActionChange) => void) => {
      // Signed-out viewers may watch only while the session is live. It is over, or waits for its start again.
      const shown = watching && status === 401 ? await readForEverybody(api, slug) : null;
      if (shown !== null) change({ kind: "unwatched", session: shown });
      // Signed out, shut or deleted meanwhile: the router leads to the sign-in page or shows "not found".
      // Other refusals change nothing.
      else if (status === 401 || status === 404) await revalidate();
    },
    needsRefetch: isDeletion,
    subscribed: !watching,
  });
  // An answer is older than every message about its call.
  const applyCall = useCallback<ApplyCall>(
    (call, asOf = call.placedAt) => dispatch({ kind: "call", call, asOf }),
    [dispatch],
  );
  const recall = useCallback<View["recall"]>(
    (withdrawn, ownCalls) => dispatch({ kind: "withdrawn", withdrawn, ownCalls }),
    [dispatch],
  );
  useOwnCalls(({ call, serverTime }) => dispatch({ kind: "call", call, asOf: serverTime }));
  useOwnMessagesMissed(refetch);
  const stopped = state.session.state === "stopped";
  const isUndoable = useServerTime((nowMs) => leftToUndoStop(state.session, nowMs) > 0, data.serverTime);
  const follows = watching && (!stopped || isUndoable);
  usePolling(refetch, { everyMs: WATCH_POLL_MS, enabled: follows, whenVisible: true });
  useOwnRank(session.id, state, dispatch);
  const waitsForNext = !watching && stopped && state.nextSession === null;
  usePolling(refetch, { everyMs: NEXT_SESSION_POLL_MS, enabled: waitsForNext, whenVisible: false });
  return { state, data, applyCall, recall };
}

/** What everybody reads of a session that is not live, as a big screen does; null: nothing. */
function readForEverybody(api: Api, slug: string | undefined): Promise<SessionView | null> {
  return api.get(sessionPath(slug), { query: { key: "" } }).then(
    (answer) => answer.session,
    () => null,
  );
}

function snapshotOf(
  { events, leaders, active, serverTime }: FetchedAction,
  session: SessionView,
): ActionSnapshot {
  return {
    session,
    nextSession: active?.slug === session.slug ? null : active,
    events,
    leaders: leaders.leaders,
    me: leaders.me,
    playersCount: leaders.totalCount,
    asOf: serverTime,
  };
}

/** The session was deleted: fetching it again answers 404. */
function isDeletion({ sourceType, eventType }: SessionMessage): boolean {
  return sourceType === "Session" && eventType === "destroy";
}

/**
 * Fetches the viewer's own rank when the leaders change. Messages about the leaders do not contain players below them, so
 * this is needed for a viewer who has played and is not among the leaders.
 */
function useOwnRank(
  sessionId: number,
  { leaders, me, events, playersCount }: ActionState,
  dispatch: Dispatch<OwnActionChange>,
): void {
  const viewerId = useViewer()?.id;
  const fetchOwnScore = useOwnScore(
    sessionId,
    useCallback((own) => dispatch({ kind: "me", me: own }), [dispatch]),
  );
  const played = me !== null || events.some(({ myCalls }) => myCalls.length > 0);
  const own = leaders.find(({ userId }) => userId === viewerId);
  const below = played && own === undefined;
  const previousLeaders = useRef(leaders);
  useEffect(() => {
    if (previousLeaders.current === leaders) return;
    previousLeaders.current = leaders;
    if (below) fetchOwnScore(playersCount);
    // The viewer's first score.
    else if (own !== undefined && me === null) dispatch({ kind: "me", me: own });
  }, [leaders, below, own, me, playersCount, fetchOwnScore, dispatch]);
}

/**
 * @returns fetches the viewer's own score after a random delay, so that not all pages fetch at once. Calls during the delay
 *   are covered by that fetch.
 */
function useOwnScore(
  sessionId: number,
  onScore: (me: ScoreView | null) => void,
): (playersCount: number) => void {
  const api = useApi();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return useCallback(
    (playersCount) => {
      timer.current ??= setTimeout(
        () => {
          timer.current = undefined;
          if (isDismissed()) return;
          api.get("/api/v1/scores/leaders", { query: { sessionId, limit: 1 } }).then(
            ({ me }) => onScore(me),
            // The next message leads to another fetch.
            () => undefined,
          );
        },
        refetchDelayMs(playersCount, Math.random()),
      );
    },
    [api, sessionId, onScore],
  );
}
