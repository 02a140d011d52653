import { useCallback, useEffect, useReducer } from "react";
import { useLoaderData, useRouteLoaderData } from "react-router";
import type { SessionMessage } from "#src/relay/schemas.ts";
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
import type { SessionData } from "../sessions/load-session.ts";
import { markLink } from "../sync.ts";
import { type Board, changeBoard, layBoard, needsLook, type Seen } from "./board.ts";
import type { ShowData } from "./load-show.ts";
import { useAuditWatch, useLook, usePayingWatch } from "./use-look.ts";

export type LiveBoard = {
  board: Board;
  /** When the page was written; until it is awake all times start from it. */
  renderedAt: string;
  lookAgain: () => void;
};

/** The show as loaded, kept up to date: what anybody does to it is looked up as soon as it is heard of. */
export function useBoard(): LiveBoard {
  const data = useLoaderData<ShowData>();
  const session = useRouteLoaderData<SessionData>(SESSION_ROUTE)?.session;
  if (session === undefined) throw new Error("The Admin tab stands outside its session.");
  const [board, change] = useReducer(changeBoard, seenIn(data, session), layBoard);
  useEffect(() => {
    guessServerTime(data.serverTime);
    change({ kind: "seen", seen: seenIn(data, session) });
  }, [data, session]);
  const takeSeen = useCallback((seen: Seen) => change({ kind: "seen", seen }), []);
  const lookAgain = useLook(session.slug, takeSeen);
  const hear = useCallback(
    (message: SessionMessage) => {
      change({ kind: "message", message });
      if (needsLook(message)) lookAgain();
    },
    [lookAgain],
  );
  useMessages(session.id, hear, lookAgain);
  usePayingWatch(board.events, lookAgain);
  useAuditWatch(session.slug, board.audit.at(0)?.id ?? null, lookAgain);
  useEffect(() => keepServerTime(tellLink), []);
  return { board, renderedAt: data.serverTime, lookAgain };
}

function seenIn({ events, audit, serverTime }: ShowData, session: SessionView): Seen {
  return { session, events, audit, seenAt: serverTime };
}

function useMessages(
  sessionId: number,
  hear: (message: SessionMessage) => void,
  lookAgain: () => void,
): void {
  const { cableUrl, places } = usePage();
  const place = places.session?.id === sessionId ? places.session : null;
  useEffect(() => {
    const connected = () => void measureServerTime().then(tellLink);
    return listen(
      cableUrl,
      { channel: "SessionsChannel", id: String(sessionId), place },
      { connected, missed: lookAgain, received: hear },
    );
  }, [cableUrl, place, sessionId, hear, lookAgain]);
}

function tellLink(): void {
  markLink({ slow: (roundTripMs() ?? 0) > POOR_ROUND_TRIP_MS });
}
