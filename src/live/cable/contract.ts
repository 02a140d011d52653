import type { WithOffset, StreamOffset } from "#src/base/streams/contract.ts";

/**
 * What a subscription receives: messages of its stream with their offset; an offset alone, where a newer message has replaced
 * the content for a slow client; messages outside of the stream; and the answers to `since`.
 */
export type Transmission<Message> =
  | WithOffset<Message>
  | StreamOffset
  | Message
  | { caughtUp: StreamOffset }
  | ({ gap: true } & StreamOffset);
