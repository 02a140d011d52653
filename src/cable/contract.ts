import type { WithOffset, StreamOffset } from "#src/streams/contract.ts";

/**
 * What comes on a subscription: messages of its stream, some of which say nothing but their place because a newer one has
 * replaced them; answers to `since`; and what has no place in the stream.
 */
export type Transmission<Message> =
  | WithOffset<Message>
  | StreamOffset
  | Message
  | { caughtUp: StreamOffset }
  | ({ gap: true } & StreamOffset);
