import type { EventView } from "#src/show/events/schemas.ts";
import type { Api } from "./api.ts";

/** A message as it came from the cable. */
export type Received = { stream: string; message: object };

type StreamDelay = {
  /** By how much this page shows everything later; 0 without a stream delay. */
  delayMs: number;
  /** The API whose answers come at once; null without a delay. Its callers show them with `show`. */
  quickApi: Api | null;
  /** Shows what has just come from the server, when its time has come: without a delay now. Returns what `act` returns then. */
  show: (act: () => unknown, received?: Received) => unknown;
  /** Takes each answer with its headers, before anybody else does. */
  arrived: (answer: unknown, headers: Headers) => void;
  /** Warns that calls really close earlier than this page shows; empty without a reason to. */
  warningFor: (event: EventView | null) => string;
  /** True once calls are really closed for an event that this page still shows as open. */
  isClosed: (event: EventView | null) => boolean;
};

/**
 * How this page is behind the game. Decision: a page with a stream delay is a page on a very slow line. Whatever comes from the
 * server waits, and the clock is late by as much, so that the page is what others saw so many seconds ago, and no screen knows
 * about it. The code is a chunk of its own (follow-stream-delay.ts), which fills this in before anything is received.
 */
export const streamDelay: StreamDelay = {
  delayMs: 0,
  quickApi: null,
  show: (act) => act(),
  arrived: () => undefined,
  warningFor: () => "",
  isClosed: () => false,
};
