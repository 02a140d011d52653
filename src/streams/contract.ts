/**
 * A place in a stream of messages: the offset goes up by one with each message of an epoch. A new epoch begins where
 * messages may be lost: when Redis was restarted, or when a stream was silent for a day.
 */
export type StreamOffset = { epoch: string; offset: number };

/** A message of a stream says its place. */
export type WithOffset<Message> = Message & StreamOffset;
