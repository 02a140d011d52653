import { type Api, ApiError } from "#client/base/api/api.ts";
import { Unreachable } from "#client/base/api/request-with-retry.ts";
import { listen } from "#client/base/live/cable.ts";
import { isDismissed } from "#client/base/live/connection.ts";
import { refetchDelayMs } from "#client/leaderboard/refetch-delay.ts";
import type { StreamOffset } from "#src/base/streams/contract.ts";
import type { SessionMessage } from "#src/live/relay/schemas.ts";
import { fetchLeaders, type Leaderboard } from "./load-leaders.ts";

type Leaders = Extract<SessionMessage, { sourceType: "Score" }>["detail"];

/** The page that shows the leaderboard. */
export type Subscriber = {
  viewerId: number;
  /** The leaderboard as the page shows it now. */
  leaderboard: () => Leaderboard;
  /** The viewer has played in this session and so has a row. */
  hasPlayed: () => boolean;
  show: (leaderboard: Leaderboard) => void;
  /** Loads the page's data again, where it shows one page of the whole list. */
  reload: () => Promise<void>;
};

type Source = {
  api: Api;
  cableUrl: string;
  sessionId: number;
  /** The stream's offset when the page was rendered; null where it is unknown. */
  offset: StreamOffset | null;
};

/**
 * Updates a leaderboard from the cable. A message brings the session's first rows. What it does not bring (the row of a viewer
 * further down, a page of the whole list) is fetched after a random delay, one request at a time.
 * @returns ends the subscription.
 */
export function subscribeToLeaderboard(
  { api, cableUrl, sessionId, offset }: Source,
  subscriber: Subscriber,
): () => void {
  const ended = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let receivedCount = 0;

  const refetchLater = (playersCount: number) => {
    timer ??= setTimeout(() => void refetch(), refetchDelayMs(playersCount, Math.random()));
  };
  const refetch = async () => {
    if (isDismissed()) return;
    const receivedBefore = receivedCount;
    const shown = subscriber.leaderboard();
    try {
      if (shown.meta !== null) await subscriber.reload();
      else subscriber.show(await fetchLeaders(api, String(sessionId), ended.signal));
    } catch (error) {
      // The next message or the next connect fetches again.
      if (!ended.signal.aborted && !(error instanceof ApiError || error instanceof Unreachable)) throw error;
    }
    timer = undefined;
    if (receivedCount !== receivedBefore && !ended.signal.aborted) {
      refetchLater(subscriber.leaderboard().totalCount);
    }
  };
  const receive = ({ leaders: scores, totalCount }: Leaders) => {
    receivedCount += 1;
    const shown = subscriber.leaderboard();
    if (shown.meta !== null) return refetchLater(totalCount);
    const own = scores.find(({ userId }) => userId === subscriber.viewerId);
    subscriber.show({ ...shown, scores, totalCount, me: own ?? shown.me });
    if (own === undefined && subscriber.hasPlayed()) refetchLater(totalCount);
  };

  const stop = listen(
    cableUrl,
    { channel: "SessionsChannel", id: String(sessionId), offset },
    {
      missed: () => refetchLater(subscriber.leaderboard().totalCount),
      received: (message) => {
        if (message.sourceType === "Score") receive(message.detail);
      },
    },
  );
  return () => {
    stop();
    ended.abort();
    clearTimeout(timer);
  };
}
