import type { EventView } from "#src/events/schemas.ts";
import type { SessionMessage } from "#src/relay/schemas.ts";
import type { AuditLineView, SessionView } from "#src/sessions/schemas.ts";

type Pool = Pick<EventView, "pool" | "callsCount">;

/** All that whoever runs a session sees of it, as far as this page knows. */
export type Board = {
  session: SessionView;
  /** In the order of their positions. */
  events: readonly EventView[];
  /** The newest first. */
  audit: readonly AuditLineView[];
  /** When the server looked. */
  seenAt: string;
  /** What the cable has said of pools since that look, by event. */
  pools: Readonly<Record<number, Pool & { heardAt: string }>>;
};

/** What one look at the server finds. */
export type Seen = Omit<Board, "pools">;

export type BoardChange = { kind: "seen"; seen: Seen } | { kind: "message"; message: SessionMessage };

export function layBoard(seen: Seen): Board {
  return { ...seen, pools: {} };
}

/**
 * The board after something was heard. Calls come too often to look again for each, so a pool is taken from its message; what
 * else changes is looked up (see `needsLook`), and a look that is older than what is known changes nothing.
 */
export function changeBoard(board: Board, change: BoardChange): Board {
  if (change.kind === "seen") return takeSeen(board, change.seen);
  const { message } = change;
  if (message.sourceType === "Presence") {
    return { ...board, session: { ...board.session, playersOnline: message.detail.playersOnline } };
  }
  if (message.sourceType !== "Spot") return board;
  const { eventId, pool, callsCount, serverTime } = message.detail;
  return { ...board, pools: { ...board.pools, [eventId]: { pool, callsCount, heardAt: serverTime } } };
}

/** True for what changes more than a pool: the plan of other events, the session, the audit. */
export function needsLook({ sourceType }: SessionMessage): boolean {
  return sourceType === "Event" || sourceType === "Session";
}

/** The events with what the cable has said of their pools since the last look. */
export function eventsOn({ events, pools }: Board): EventView[] {
  return events.map((event) => {
    const heard = event.state === "open" ? pools[event.id] : undefined;
    return heard === undefined ? event : { ...event, pool: heard.pool, callsCount: heard.callsCount };
  });
}

function takeSeen(board: Board, seen: Seen): Board {
  if (board.session.id !== seen.session.id) return layBoard(seen);
  if (Date.parse(seen.seenAt) < Date.parse(board.seenAt)) return board;
  const pools = Object.entries(board.pools).filter(
    ([, { heardAt }]) => Date.parse(heardAt) > Date.parse(seen.seenAt),
  );
  return { ...seen, pools: Object.fromEntries(pools) };
}
