import { useCallback, useEffect, useRef } from "react";
import type { ScoreView } from "#src/leaderboard/schemas.ts";
import { useApi } from "../context.ts";
import { waitToLookMs } from "../leaderboard/wait-to-look.ts";

/**
 * Looks up the viewer's own score, which the messages about the leaders do not tell to those below them.
 * @returns asks for a look, at a moment of chance so that not all pages look at once. One that is waited for stands for all.
 */
export function useOwnScore(
  sessionId: number,
  take: (me: ScoreView | null) => void,
): (playersCount: number) => void {
  const api = useApi();
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(waiting.current), []);
  return useCallback(
    (playersCount) => {
      waiting.current ??= setTimeout(
        () => {
          waiting.current = undefined;
          api.get("/api/v1/scores/leaders", { query: { sessionId, limit: 1 } }).then(
            ({ me }) => take(me),
            // The next message asks again.
            () => undefined,
          );
        },
        waitToLookMs(playersCount, Math.random()),
      );
    },
    [api, sessionId, take],
  );
}
