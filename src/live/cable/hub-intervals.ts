/** The intervals of a hub's periodic work, in milliseconds. */
export type HubIntervals = {
  pingMs: number;
  probeMs: number;
  pongDeadlineMs: number;
  /** Checks whether the sign-ins are still valid. */
  checkMs: number;
  /** Looks for slow clients. */
  watchMs: number;
  /** Reports the load to the other processes. */
  reportMs: number;
};

export const defaultIntervals: HubIntervals = {
  pingMs: 3_000,
  probeMs: 15_000,
  pongDeadlineMs: 40_000,
  checkMs: 30_000,
  watchMs: 1_000,
  reportMs: 5_000,
};
