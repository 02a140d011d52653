import { type Dispatch, useCallback, useEffect, useReducer, useRef } from "react";
import { useLoaderData, useRouteLoaderData } from "react-router";
import type { CallView } from "#src/calls/schemas.ts";
import type { SessionView } from "#src/sessions/schemas.ts";
import { listen } from "../cable.ts";
import {
  guessServerTime,
  keepServerTime,
  measureServerTime,
  POOR_ROUND_TRIP_MS,
  roundTripMs,
} from "../clock.ts";
import { usePage } from "../context.ts";
import { SESSION_ROUTE } from "../frame/use-here.ts";
import { useOwnCalls, useOwnMissed } from "../live-messages.tsx";
import type { SessionData } from "../sessions/load-session.ts";
import { markLink } from "../sync.ts";
import type { ActionData, Looked } from "./load-action.ts";
import { changeTable, layTable, type Snapshot, type Table, type TableChange } from "./table.ts";
import { useLookAgain } from "./use-look-again.ts";
import { useOwnScore } from "./use-own-score.ts";

/** Where nobody is live, the page asks this often whether somebody is. */
const ASK_AGAIN_MS = 5_000;
/** How far behind the game somebody is who only watches. */
const WATCH_AGAIN_MS = 2_000;

export type LiveTable = {
  table: Table;
  data: ActionData;
  /** Puts a call of the viewer on the table, as an answer has it. */
  takeCall: (call: CallView) => void;
};

/** The session as loaded, kept up to date by the cable; looked up again where the cable does not know what was missed. */
export function useTable(): LiveTable {
  const data = useLoaderData<ActionData>();
  const session = useRouteLoaderData<SessionData>(SESSION_ROUTE)?.session;
  if (session === undefined) throw new Error("The Action screen stands outside its session.");
  const [table, change] = useReducer(changeTable, snapshotOf(data, session), layTable);
  useEffect(() => {
    guessServerTime(data.serverTime);
    change({ kind: "snapshot", snapshot: snapshotOf(data, session) });
  }, [data, session]);
  const takeLooked = useCallback((looked: Looked, seen: SessionView) => {
    change({ kind: "snapshot", snapshot: snapshotOf(looked, seen) });
  }, []);
  const takeEnd = useCallback(() => change({ kind: "over" }), []);
  const lookAgain = useLookAgain(session.slug, takeLooked, takeEnd);
  const takeCall = useCallback((call: CallView) => change({ kind: "call", call }), []);
  useOwnCalls(takeCall);
  useOwnMissed(lookAgain);
  const watching = usePage().viewer === null;
  const over = table.session.state === "stopped";
  useSessionMessages(watching ? null : session.id, change, lookAgain);
  useWatching(watching && !over, lookAgain);
  useOwnRank(session.id, table, change);
  useEffect(() => keepServerTime(tellLink), []);
  useNextSession(!watching && over && table.next === null, lookAgain);
  return { table, data, takeCall };
}

function snapshotOf({ events, leaders, active, serverTime }: Looked, session: SessionView): Snapshot {
  return {
    session,
    next: active?.slug === session.slug ? null : active,
    events,
    leaders: leaders.leaders,
    me: leaders.me,
    playersCount: leaders.totalCount,
    heardAt: serverTime,
  };
}

/** @param sessionId null for those who only watch: the cable is for those who are signed in. */
function useSessionMessages(
  sessionId: number | null,
  change: Dispatch<TableChange>,
  lookAgain: () => void,
): void {
  const { cableUrl, places } = usePage();
  const place = places.session?.id === sessionId ? places.session : null;
  useEffect(() => {
    if (sessionId === null) return;
    return listen(
      cableUrl,
      { channel: "SessionsChannel", id: String(sessionId), place },
      {
        connected: () => void measureServerTime().then(tellLink),
        missed: lookAgain,
        received: (message) => {
          change({ kind: "message", message });
          if (message.sourceType === "Session" && message.eventType === "destroy") lookAgain();
        },
      },
    );
  }, [cableUrl, place, sessionId, change, lookAgain]);
}

/** Whoever has played and stands below the leaders hears of their change, and then looks for the own rank. */
function useOwnRank(
  sessionId: number,
  { leaders, me, events, playersCount }: Table,
  change: Dispatch<TableChange>,
): void {
  const { viewer } = usePage();
  const lookAtOwn = useOwnScore(
    sessionId,
    useCallback((own) => change({ kind: "me", me: own }), [change]),
  );
  const played = me !== null || events.some(({ myCalls }) => myCalls.length > 0);
  const below = played && !leaders.some(({ userId }) => userId === viewer?.id);
  const told = useRef(leaders);
  useEffect(() => {
    if (told.current === leaders) return;
    told.current = leaders;
    if (below) lookAtOwn(playersCount);
  }, [leaders, below, playersCount, lookAtOwn]);
}

/** Whoever only watches sees the game by looking again and again, until it is over. */
function useWatching(watching: boolean, lookAgain: () => void): void {
  useEffect(() => {
    if (!watching) return;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") lookAgain();
    }, WATCH_AGAIN_MS);
    return () => clearInterval(timer);
  }, [watching, lookAgain]);
}

function tellLink(): void {
  markLink({ slow: (roundTripMs() ?? 0) > POOR_ROUND_TRIP_MS });
}

/** Looks for a live session while this one is over and none follows yet. */
function useNextSession(alone: boolean, lookAgain: () => void): void {
  useEffect(() => {
    if (!alone) return;
    const timer = setInterval(lookAgain, ASK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [alone, lookAgain]);
}
