import { type ActionDispatch, useEffect, useEffectEvent, useReducer, useRef } from "react";
import { useRouteLoaderData } from "react-router";
import { type Api, ApiError, type RequestOptions } from "#client/base/api/api.ts";
import { streamDelay } from "#client/base/api/stream-delay.ts";
import { listen } from "#client/base/live/cable.ts";
import {
  estimateServerTime,
  keepMeasuringServerTime,
  measureServerTime,
  POOR_ROUND_TRIP_MS,
  roundTripMs,
} from "#client/base/live/clock.ts";
import { updateConnection } from "#client/base/live/connection.ts";
import { useSingleFlight } from "#client/base/live/single-flight.ts";
import { useApi, usePage } from "#client/base/page/context.ts";
import { SESSION_ROUTE } from "#client/ui/use-here.ts";
import type { SessionMessage } from "#src/live/relay/schemas.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import { type SessionData, sessionPath } from "./load-session.ts";

const SERVER_ERROR = 500;

/** The changes that every live screen's reducer takes. */
export type LiveChange<Snapshot> =
  | { kind: "snapshot"; snapshot: Snapshot }
  | { kind: "message"; message: SessionMessage };

type LiveSessionOptions<State, Snapshot, OwnChange, Data, Fetched> = {
  /** What the route's loader returned. */
  data: Data;
  initialState: (snapshot: Snapshot) => State;
  reduce: (state: State, change: LiveChange<Snapshot> | OwnChange) => State;
  snapshotOf: (data: Data, session: SessionView) => Snapshot;
  /** With what the session is asked for. */
  query?: RequestOptions["query"];
  /** Fetches what the loader fetched, for a page that is open already. */
  fetchData: (api: Api, slug: string, signal: AbortSignal) => Promise<Fetched>;
  /** Called after the snapshot was applied; the next fetch waits for it. */
  onFetched: (fetched: Fetched) => void | Promise<void>;
  /** Called when the API refuses a fetch (4xx). Other errors are retried. */
  onRefused: (error: ApiError, dispatch: (change: OwnChange) => void) => void | Promise<void>;
  /** True for a message from which the reducer alone cannot compute the new state. */
  needsRefetch: (message: SessionMessage) => boolean;
  /** False for viewers who are signed out: they get no messages. */
  subscribed: boolean;
};

export type LiveSession<State, Change> = {
  session: SessionView;
  state: State;
  dispatch: ActionDispatch<[change: Change]>;
  /** Fetches the screen's data again. Calls during a fetch lead to one more fetch after it. */
  refetch: () => void;
};

/**
 * Keeps a screen of one session live: its state starts with the loader's data, a reducer applies the session's messages, and
 * the data is fetched again when messages were missed. A refetch is not the router's reload, which would replace the screen
 * with an error page while the server is away: here the known state stays, and the fetch is retried until it succeeds.
 */
export function useLiveSession<
  State,
  Snapshot,
  OwnChange,
  Data extends { serverTime: string },
  Fetched extends Data,
>(
  options: LiveSessionOptions<State, Snapshot, OwnChange, Data, Fetched>,
): LiveSession<State, LiveChange<Snapshot> | OwnChange> {
  const { data, snapshotOf, subscribed } = options;
  const api = useApi();
  const session = useRouteLoaderData<SessionData>(SESSION_ROUTE)?.session;
  if (session === undefined) throw new Error("A screen was rendered outside the app.");
  const [state, dispatch] = useReducer(options.reduce, snapshotOf(data, session), options.initialState);
  const applied = useRef({ data, session });
  useEffect(() => {
    estimateServerTime(data.serverTime);
    // The first state has them already. Reducing them again would render the whole screen twice.
    if (applied.current.data === data && applied.current.session === session) return;
    applied.current = { data, session };
    dispatch({ kind: "snapshot", snapshot: snapshotOf(data, session) });
  }, [data, session, snapshotOf]);
  const { slug } = session;
  const refetch = useSingleFlight(async (signal) => {
    try {
      const quick = streamDelay.quickApi ?? api;
      const [fetched, answer] = await Promise.all([
        options.fetchData(quick, slug, signal),
        quick.get(sessionPath(slug), { query: options.query ?? {}, signal }),
      ]);
      await streamDelay.show(() => {
        if (signal.aborted) return undefined;
        dispatch({ kind: "snapshot", snapshot: snapshotOf(fetched, answer.session) });
        return options.onFetched(fetched);
      });
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= SERVER_ERROR) throw error;
      await streamDelay.show(() => options.onRefused(error, dispatch));
    }
  }, slug);
  const onMessage = (message: SessionMessage) => {
    dispatch({ kind: "message", message });
    if (options.needsRefetch(message)) refetch();
  };
  useSessionMessages(subscribed ? session.id : null, onMessage, refetch);
  useEffect(() => keepMeasuringServerTime(reportRoundTrip), []);
  return { session, state, dispatch, refetch };
}

/** @param sessionId null: without a subscription. */
function useSessionMessages(
  sessionId: number | null,
  onMessage: (message: SessionMessage) => void,
  missed: () => void,
): void {
  const received = useEffectEvent(onMessage);
  const { cableUrl, streamOffsets } = usePage();
  const offset = streamOffsets.session?.id === sessionId ? streamOffsets.session : null;
  useEffect(() => {
    if (sessionId === null) return;
    let connectedBefore = false;
    return listen(
      cableUrl,
      { channel: "SessionsChannel", id: String(sessionId), offset },
      {
        connected: () => {
          // The computer may have slept meanwhile. The first time is measured with the page.
          if (connectedBefore) void measureServerTime().then(reportRoundTrip);
          connectedBefore = true;
        },
        missed,
        // The answer to one fetch says why, for example that the session was deleted.
        rejected: missed,
        received: (message) => received(message),
      },
    );
  }, [cableUrl, offset, sessionId, missed]);
}

function reportRoundTrip(): void {
  updateConnection({ slow: (roundTripMs() ?? 0) > POOR_ROUND_TRIP_MS });
}
