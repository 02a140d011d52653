import type { StreamOffset } from "#src/base/streams/contract.ts";
import type { OffsetMessage } from "#src/base/streams/stream-offsets.ts";
import type { StreamGroups } from "./stream-group.ts";

/** A subscription that Redis has not confirmed by then fails, and its client asks again. */
const READY_WITHIN_MS = 5_000;
/** More than a history has. */
const HELD_BACK_MAX = 1_000;

/** A stream that this process is subscribed to. */
export type FollowedStream = {
  groups: StreamGroups;
  /** Settles when Redis has confirmed the subscription: no message published from then on is missed. */
  ready: Promise<void>;
  /** The offset of the last message that arrived; null while it is not known. */
  last: StreamOffset | null;
  /** What arrived while older messages are still being read from the history, since each loss a new list; null at other times. */
  heldBack: OffsetMessage[] | null;
};

export function createFollowedStream(): FollowedStream {
  return { groups: new Map(), ready: Promise.resolve(), last: null, heldBack: null };
}

/** Rejects if Redis does not confirm the subscription in time. */
export async function untilReady({ ready }: FollowedStream): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(
    () => reject(new Error("Redis has not confirmed a stream in time")),
    READY_WITHIN_MS,
  );
  await Promise.race([ready, late]).finally(() => clearTimeout(timer));
}

/** Adds a message to those that wait for the history. Of too many the oldest are left out: readers see the gap in the offsets. */
export function holdBack(heldBack: OffsetMessage[], message: OffsetMessage): void {
  heldBack.push(message);
  if (heldBack.length > HELD_BACK_MAX) heldBack.splice(0, HELD_BACK_MAX / 2);
}
