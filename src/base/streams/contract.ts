/**
 * The position of a message in a stream. The offset grows by one with each message of an epoch. A new epoch begins when
 * messages may have been lost: after a restart of Redis, or after a day without messages.
 */
export type StreamOffset = { epoch: string; offset: number };

export type WithOffset<Message> = Message & StreamOffset;
