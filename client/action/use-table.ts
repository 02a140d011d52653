import { useCallback, useEffect, useReducer } from "react";
import { useLoaderData, useRevalidator, useRouteLoaderData } from "react-router";
import type { CallView } from "#src/calls/contract.ts";
import type { SessionView } from "#src/sessions/contract.ts";
import { listen } from "../cable.ts";
import { guessServerTime, keepServerTime, POOR_ROUND_TRIP_MS, roundTripMs } from "../clock.ts";
import { usePage } from "../context.ts";
import { SESSION_ROUTE } from "../frame/use-here.ts";
import { useOwnCalls } from "../live-messages.tsx";
import type { SessionData } from "../sessions/load-session.ts";
import { markLink } from "../sync.ts";
import type { ActionData } from "./load-action.ts";
import { changeTable, layTable, type Snapshot, type Table } from "./table.ts";

/** Where nobody is live, the page asks this often whether somebody is. */
const ASK_AGAIN_MS = 5_000;

export type LiveTable = {
  table: Table;
  data: ActionData;
  /** Puts a call of the viewer on the table, as an answer or a guess has it. */
  takeCall: (call: CallView) => void;
};

/** The session as loaded, kept up to date by the cable; loaded again whenever the cable may have missed something. */
export function useTable(): LiveTable {
  const data = useLoaderData<ActionData>();
  const session = useRouteLoaderData<SessionData>(SESSION_ROUTE)?.session;
  if (session === undefined) throw new Error("The Action screen stands outside its session.");
  const [table, change] = useReducer(changeTable, snapshotOf(data, session), layTable);
  useEffect(() => {
    guessServerTime(data.serverTime);
    change({ kind: "snapshot", snapshot: snapshotOf(data, session) });
  }, [data, session]);
  const takeCall = useCallback((call: CallView) => change({ kind: "call", call }), []);
  useOwnCalls(takeCall);
  useSessionMessages(session.id, change);
  useLinkQuality();
  useNextSession(table.session.state === "stopped" && data.active === null);
  return { table, data, takeCall };
}

function snapshotOf({ events, leaders, serverTime }: ActionData, session: SessionView): Snapshot {
  return {
    session,
    events,
    leaders: leaders.leaders,
    me: leaders.me,
    playersCount: leaders.totalCount,
    heardAt: serverTime,
  };
}

function useSessionMessages(
  sessionId: number,
  change: (change: Parameters<typeof changeTable>[1]) => void,
): void {
  const { cableUrl } = usePage();
  const { revalidate } = useRevalidator();
  useEffect(
    () =>
      listen(
        cableUrl,
        { channel: "SessionsChannel", id: String(sessionId) },
        {
          // What happened between the load and now, or while the link was down, is loaded.
          connected: () => void revalidate(),
          received: (message) => change({ kind: "message", message }),
        },
      ),
    [cableUrl, sessionId, revalidate, change],
  );
}

function useLinkQuality(): void {
  useEffect(() => keepServerTime(() => markLink({ slow: (roundTripMs() ?? 0) > POOR_ROUND_TRIP_MS })), []);
}

/** Looks for a live session while this one is over and none follows yet. */
function useNextSession(alone: boolean): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (!alone) return;
    const timer = setInterval(() => void revalidate(), ASK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [alone, revalidate]);
}
