import { useEffect, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { useApi, usePage } from "#client/base/page/context.ts";
import { useOwnCalls } from "#client/calls/own-calls.ts";
import type { Leaderboard } from "./load-leaders.ts";
import { subscribeToLeaderboard } from "./subscribe-to-leaderboard.ts";

/**
 * A leaderboard, updated by the cable.
 * @param sessionId the session whose messages report changes; null: none.
 */
export function useLiveLeaderboard(loaded: Leaderboard, sessionId: number | null): Leaderboard {
  const api = useApi();
  const { cableUrl, viewer, streamOffsets } = usePage();
  const { revalidate } = useRevalidator();
  const [shown, setShown] = useState({ loaded, leaderboard: loaded });
  // Newly loaded data replaces what the cable has updated.
  const leaderboard = shown.loaded === loaded ? shown.leaderboard : loaded;
  const latest = useRef({ loaded, leaderboard, revalidate });
  useEffect(() => {
    latest.current = { loaded, leaderboard, revalidate };
  });
  const played = useRef(false);
  useOwnCalls(({ call }) => {
    if (call.state === "closed" || call.state === "resolved") played.current = true;
  });
  const viewerId = viewer?.id ?? null;
  const offset = streamOffsets.session?.id === sessionId ? streamOffsets.session : null;
  useEffect(() => {
    if (sessionId === null || viewerId === null) return;
    return subscribeToLeaderboard(
      { api, cableUrl, sessionId, offset },
      {
        viewerId,
        leaderboard: () => latest.current.leaderboard,
        hasPlayed: () => played.current || latest.current.leaderboard.me !== null,
        show: (next) => {
          latest.current.leaderboard = next;
          setShown({ loaded: latest.current.loaded, leaderboard: next });
        },
        reload: () => latest.current.revalidate(),
      },
    );
  }, [api, cableUrl, sessionId, offset, viewerId]);
  return leaderboard;
}
