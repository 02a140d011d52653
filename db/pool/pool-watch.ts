import type { SQL } from "bun";
import type { PoolCounts } from "./turns.ts";
import type { StatementWatch } from "./watched-query.ts";

/**
 * "silent": the database answers no more; "replaced": connections were lost and replaced; "back": it answers again; "moved": another
 * server takes the writes, and all connections are to it.
 */
export type PoolChange = "silent" | "replaced" | "back" | "moved";
/** `isSilent`: the database does not answer, and whatever is asked of it fails at once. */
export type WatchedPool = {
  sql: SQL;
  isSilent: () => boolean;
  counts: () => PoolCounts;
  close: () => Promise<void>;
};

/** How a pool is watched. `onChange` is called when its connections have died without an error, and when they are back. */
export type PoolWatch = {
  silentAfterMs?: number | undefined;
  onChange?: ((change: PoolChange) => void) | undefined;
  onStatement?: StatementWatch | undefined;
};

/** The size of a pool. `startWith`: the first statement of each of its transactions, if they have one. */
export type PoolShape = { sizeMax: number; startWith?: string | null };

/** How a pool is watched, with its shape and all defaults. */
export type Limits = Required<PoolShape> & { [Name in keyof PoolWatch]-?: NonNullable<PoolWatch[Name]> };
