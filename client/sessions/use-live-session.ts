import { type ActionDispatch, useEffect, useReducer, useRef } from "react";
import { useRouteLoaderData } from "react-router";
import { type Api, ApiError, type RequestOptions, endingWith } from "#client/base/api/api.ts";
import { streamDelay } from "#client/base/api/stream-delay.ts";
import {
  estimateServerTime,
  keepMeasuringServerTime,
  measureServerTime,
  POOR_ROUND_TRIP_MS,
  roundTripMs,
} from "#client/base/live/clock.ts";
import { updateConnection } from "#client/base/live/connection.ts";
import { useSingleFlight } from "#client/base/live/single-flight.ts";
import { useSessionMessages } from "#client/base/live/use-session-messages.ts";
import { useApi } from "#client/base/page/context.ts";
import { SESSION_ROUTE } from "#client/ui/use-here.ts";
import type { SessionMessage } from "#src/live/relay/schemas.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import { type SessionData, sessionPath } from "./load-session.ts";

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
  fetchData: (api: Api, slug: string) => Promise<Fetched>;
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
      const quick = endingWith(signal, streamDelay.quickApi ?? api);
      const [fetched, answer] = await Promise.all([
        options.fetchData(quick, slug),
        quick.get(sessionPath(slug), { query: options.query ?? {} }),
      ]);
      await streamDelay.show(() => {
        if (signal.aborted) return undefined;
        dispatch({ kind: "snapshot", snapshot: snapshotOf(fetched, answer.session) });
        return options.onFetched(fetched);
      });
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error;
      await streamDelay.show(() => options.onRefused(error, dispatch));
    }
  }, slug);
  const onMessage = (message: SessionMessage) => {
    dispatch({ kind: "message", message });
    if (options.needsRefetch(message)) refetch();
  };
  useFollowing(subscribed ? session.id : null, onMessage, refetch);
  useEffect(() => keepMeasuringServerTime(reportRoundTrip), []);
  return { session, state, dispatch, refetch };
}

/** @param sessionId null: without a subscription. */
function useFollowing(
  sessionId: number | null,
  received: (message: SessionMessage) => void,
  refetch: () => void,
): void {
  const connectedBefore = useRef(false);
  const connected = () => {
    // The computer may have slept meanwhile. The first time is measured with the page.
    if (connectedBefore.current) void measureServerTime().then(reportRoundTrip);
    connectedBefore.current = true;
  };
  // A rejection: the answer to one fetch says why, for example that the session was deleted.
  useSessionMessages(sessionId, { received, connected, missed: refetch, rejected: refetch }, "page");
}

function reportRoundTrip(): void {
  updateConnection({ slow: (roundTripMs() ?? 0) > POOR_ROUND_TRIP_MS });
}
