import type { Protocol } from "./frames.ts";

/** What the frames of a subscription depend on, besides its stream. */
export type FrameForm = { protocol: Protocol; identifier: string };

/**
 * The subscriptions of this process to one stream whose frames are equal: they have the same identifier text and protocol. A frame
 * is built once and published once, to the group's Bun topic. What thousands of sockets have in common is stored here, once.
 */
export type StreamGroup = Readonly<FrameForm> & {
  readonly stream: string;
  readonly topic: string;
  /** How many subscriptions it has. */
  size: number;
};

/** The name of a form. Example: `plain {"channel":"SessionsChannel","id":7}`. */
export function nameOfForm({ protocol, identifier }: FrameForm): string {
  return `${protocol} ${identifier}`;
}

/** A group without subscriptions. */
export function createGroup(stream: string, { protocol, identifier }: FrameForm): StreamGroup {
  const topic = `${stream} ${nameOfForm({ protocol, identifier })}`;
  return { stream, protocol, identifier, topic, size: 0 };
}
