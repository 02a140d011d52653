import type { SessionMessage } from "#src/relay/schemas.ts";
import type { StreamOffset } from "#src/streams/contract.ts";
import { type Api, ApiError } from "../api.ts";
import { listen } from "../cable.ts";
import { Unreachable } from "../reach.ts";
import { type Board, lookUpLeaders } from "./load-leaders.ts";
import { waitToLookMs } from "./wait-to-look.ts";

type Leaders = Extract<SessionMessage, { sourceType: "Score" }>["detail"];

/** The page that follows. */
export type Follower = {
  viewerId: number;
  /** The board as the page knows it now. */
  board: () => Board;
  /** The viewer has played here, and so has a row. */
  hasPlayed: () => boolean;
  take: (board: Board) => void;
  /** Loads the page's data anew, where it shows no first rows but a page of many. */
  reload: () => Promise<void>;
};

type Session = {
  api: Api;
  cableUrl: string;
  sessionId: number;
  /** Where the session's stream stood when the page was written; null where it does not say. */
  place: StreamOffset | null;
};

/**
 * Keeps a board up to date. The first of a session come with the message itself. What it does not tell (the row of somebody
 * further below, a page of a longer table) is looked up, by each page at a moment of chance and one look at a time.
 * @returns ends it.
 */
export function followLeaders({ api, cableUrl, sessionId, place }: Session, follower: Follower): () => void {
  const gone = new AbortController();
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let heard = 0;

  const lookLater = (playersCount: number) => {
    waiting ??= setTimeout(() => void look(), waitToLookMs(playersCount, Math.random()));
  };
  const look = async () => {
    const heardBefore = heard;
    const shown = follower.board();
    try {
      if (shown.meta !== null) await follower.reload();
      else follower.take(await lookUpLeaders(api, String(sessionId), gone.signal));
    } catch (error) {
      // The next message, or the next connection, asks again.
      if (!gone.signal.aborted && !(error instanceof ApiError || error instanceof Unreachable)) throw error;
    }
    waiting = undefined;
    if (heard !== heardBefore && !gone.signal.aborted) lookLater(follower.board().totalCount);
  };
  const hear = ({ leaders: scores, totalCount }: Leaders) => {
    heard += 1;
    const shown = follower.board();
    if (shown.meta !== null) return lookLater(totalCount);
    const own = scores.find(({ userId }) => userId === follower.viewerId);
    follower.take({ ...shown, scores, totalCount, me: own ?? shown.me });
    if (own === undefined && follower.hasPlayed()) lookLater(totalCount);
  };

  const stop = listen(
    cableUrl,
    { channel: "SessionsChannel", id: String(sessionId), place },
    {
      missed: () => lookLater(follower.board().totalCount),
      received: (message) => {
        if (message.sourceType === "Score") hear(message.detail);
      },
    },
  );
  return () => {
    stop();
    gone.abort();
    clearTimeout(waiting);
  };
}
