import type { Protocol } from "./frames.ts";

/** What the frames of a subscription depend on, besides its stream. */
export type FrameForm = { protocol: Protocol; identifier: string };

/** A message goes to so many sockets in one turn of the event loop. That takes some 8 ms; calls are answered between two turns. */
const SIZE_MAX = 1_000;

/**
 * Subscriptions of this process to one stream whose frames are equal: they have the same identifier text and protocol. A frame is
 * built and published once for a group, to its Bun topic. What thousands of sockets have in common is stored here, once.
 */
export type StreamGroup = Readonly<FrameForm> & {
  readonly stream: string;
  /** Unique in its stream. */
  readonly name: string;
  readonly topic: string;
  /** How many subscriptions it has. */
  size: number;
};

/** The groups of a stream, by their names. */
export type StreamGroups = Map<string, StreamGroup>;

/** Finds a group of this form that has room for one more subscription, or adds one to the groups of the stream. */
export function groupWithRoom(groups: StreamGroups, stream: string, form: FrameForm): StreamGroup {
  for (let number = 0; ; number += 1) {
    const { protocol, identifier } = form;
    const name = `${number} ${protocol} ${identifier}`;
    const group = groups.get(name) ?? {
      stream,
      protocol,
      identifier,
      name,
      topic: `${stream} ${name}`,
      size: 0,
    };
    if (group.size >= SIZE_MAX) continue;
    groups.set(name, group);
    return group;
  }
}

/** How many subscriptions the groups of a stream have together. */
export function audienceOf(groups: StreamGroups): number {
  return groups.values().reduce((sum, { size }) => sum + size, 0);
}
