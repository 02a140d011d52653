import type { StreamOffset } from "#src/base/streams/contract.ts";
import type { OffsetMessage } from "#src/base/streams/stream-offsets.ts";
import type { StreamGroup } from "./stream-group.ts";

/** A stream that this process is subscribed to. */
export type FollowedStream = {
  /** By the name of their form. */
  groups: Map<string, StreamGroup>;
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
