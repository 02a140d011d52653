export const eventStates = [
  "draft",
  "visible",
  "open",
  "closed",
  "resolved",
  "hidden",
  "soft_destroyed",
] as const;
export type EventState = (typeof eventStates)[number];
/** The states in which an event takes calls or waits for its result. */
export const liveEventStates = ["open", "closed"] as const;
/** The states in which an event may have a result. */
export const resultEventStates = ["resolved", "hidden", "soft_destroyed"] as const;

export const results = ["true", "false", "void"] as const;
export type EventResult = (typeof results)[number];

/**
 * When an event opens: some time after the close of the event before it, at an offset from the session's start, some time after
 * the result of the event before it, or when the host starts it.
 */
export const startModes = ["after_previous", "offset", "after_result", "by_hand"] as const;
export type StartMode = (typeof startModes)[number];

/** The start modes without a planned time. */
export const untimedStartModes = ["after_result", "by_hand"] as const satisfies readonly StartMode[];
export type UntimedStartMode = (typeof untimedStartModes)[number];

export const autoResults = ["true", "false", "random"] as const;
export type AutoResult = (typeof autoResults)[number];

export const timedTransitions = ["publish_event", "open_event", "close_event", "resolve"] as const;
