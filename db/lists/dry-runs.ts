/** A dry run waits for a worker, plays, and ends in one of three ways. */
export const dryRunStates = ["waiting", "playing", "done", "failed", "cancelled"] as const;
export type DryRunState = (typeof dryRunStates)[number];
export const unfinishedDryRunStates = ["waiting", "playing"] as const satisfies readonly DryRunState[];

/** Why a dry run failed: no database could be created for it, it took too long, or the program has an error. */
export const dryRunFailures = ["no_database", "too_long", "error"] as const;
export type DryRunFailure = (typeof dryRunFailures)[number];
