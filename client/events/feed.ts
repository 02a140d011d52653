import type { SessionMessage } from "#src/live/relay/schemas.ts";
import type { EventView } from "#src/show/events/schemas.ts";

const FEED_MAX = 12;

/** A call of another player, for the feed: "mira_k called True $10". */
export type FeedEntry = {
  id: number;
  eventId: number;
  username: string;
  /** Of the side. It stays when the event leaves the show. */
  label: string;
  wagerCents: number;
};

export type PoolDetail = Extract<SessionMessage, { sourceType: "Spot" }>["detail"];

/** The feed with the newest calls at its end. */
export function withNewest(
  feed: readonly FeedEntry[],
  events: readonly EventView[],
  { eventId, latest }: PoolDetail,
): readonly FeedEntry[] {
  const lastId = feed.at(-1)?.id ?? 0;
  const spots = events.find(({ id }) => id === eventId)?.spots ?? [];
  const entries = latest.map(({ side, ...call }, index) => ({
    ...call,
    id: lastId + index + 1,
    eventId,
    label: spots.find((spot) => spot.side === side)?.label ?? side,
  }));
  return [...feed, ...entries].slice(-FEED_MAX);
}
