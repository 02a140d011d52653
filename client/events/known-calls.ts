import type { CallView } from "#src/play/calls/schemas.ts";
import type { EventView } from "#src/show/events/schemas.ts";

/** A call of the viewer, and when it was read: the server's time. */
export type KnownCall = { call: CallView; asOf: string };
/** Takes a call of the viewer from an answer of the API. @param asOf since when it is so; left out: since it was placed. */
export type ApplyCall = (call: CallView, asOf?: string) => void;

/**
 * Adds a call, or replaces what was known about it, whatever the order in which messages, answers and snapshots arrive. The
 * later of two states is kept, and of the same state what was read last: a correction changes a resolved call.
 */
export function withKnownCall(known: readonly KnownCall[], next: KnownCall): readonly KnownCall[] {
  const same = known.find(({ call }) => call.id === next.call.id);
  if (same !== undefined && isLater(same, next)) return known;
  const others = known.filter((each) => each !== same);
  return [...others, next].toSorted((one, other) => one.call.id - other.call.id);
}

/**
 * Adds the calls of a snapshot. A call that the snapshot does not have is dropped, unless it is newer. Those that were taken
 * back are kept: an older message or answer may still come, and must not bring them back.
 */
export function withLoadedCalls(
  known: readonly KnownCall[],
  loaded: readonly CallView[],
  loadedAt: string,
): readonly KnownCall[] {
  const loadedIds = new Set(loaded.map(({ id }) => id));
  const kept = known.filter(
    ({ call, asOf }) =>
      loadedIds.has(call.id) || call.state === "soft_destroyed" || Date.parse(asOf) > Date.parse(loadedAt),
  );
  return loaded.reduce<readonly KnownCall[]>(
    (all, call) => withKnownCall(all, { call, asOf: loadedAt }),
    kept,
  );
}

/** The event with the calls of its current round that count: those that were not taken back. */
export function withOwnCalls(event: EventView, known: readonly KnownCall[]): EventView {
  const counts = ({ call }: KnownCall) =>
    call.eventId === event.id && call.state !== "soft_destroyed" && isOfRound(call, event);
  return { ...event, myCalls: known.filter(counts).map(({ call }) => call) };
}

/** A reset event may open again: the calls of the round before were placed before that. */
export function isOfRound({ placedAt }: CallView, { openedAt }: EventView): boolean {
  return openedAt !== null && Date.parse(placedAt) >= Date.parse(openedAt);
}

function isLater(one: KnownCall, other: KnownCall): boolean {
  const ahead = progressOf(one.call) - progressOf(other.call);
  return ahead === 0 ? Date.parse(one.asOf) > Date.parse(other.asOf) : ahead > 0;
}

/** The order of a call's states; a call never goes back. */
function progressOf({ state }: CallView): number {
  return { placed: 0, closed: 1, resolved: 2, soft_destroyed: 2 }[state];
}
