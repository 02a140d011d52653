import { useCallback, useEffect, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { useApi, usePage } from "../context.ts";
import { useOwnCalls } from "../live-messages.tsx";
import { followLeaders } from "./follow-leaders.ts";
import type { Board } from "./load-leaders.ts";

/**
 * A board, kept up to date by the cable.
 * @param sessionId whose messages tell of changes; null: nobody's.
 */
export function useLiveBoard(loaded: Board, sessionId: number | null): Board {
  const api = useApi();
  const { cableUrl, viewer, places } = usePage();
  const { revalidate } = useRevalidator();
  const [taken, setTaken] = useState({ loaded, board: loaded });
  // What is loaded anew takes the place of what was heard before.
  const board = taken.loaded === loaded ? taken.board : loaded;
  const latest = useRef({ loaded, board, revalidate });
  useEffect(() => {
    latest.current = { loaded, board, revalidate };
  });
  const played = useRef(false);
  useOwnCalls(
    useCallback(() => {
      played.current = true;
    }, []),
  );
  const viewerId = viewer?.id ?? null;
  const place = places.session?.id === sessionId ? places.session : null;
  useEffect(() => {
    if (sessionId === null || viewerId === null) return;
    return followLeaders(
      { api, cableUrl, sessionId, place },
      {
        viewerId,
        board: () => latest.current.board,
        hasPlayed: () => played.current || latest.current.board.me !== null,
        take: (next) => {
          latest.current.board = next;
          setTaken({ loaded: latest.current.loaded, board: next });
        },
        reload: () => latest.current.revalidate(),
      },
    );
  }, [api, cableUrl, sessionId, place, viewerId]);
  return board;
}
