import type { Deps } from "#src/base/deps.ts";
import { SessionSnapshot } from "./session-snapshot.ts";

/** The most sessions in memory; the least recently used is dropped first. */
const SNAPSHOTS_MAX = 50;
/** Snapshots that nobody has looked at for this time are dropped when another one is looked at. */
const UNUSED_MS = 600_000;

type Entry = { snapshot: SessionSnapshot; usedAtMs: number };
const snapshots = new WeakMap<Deps["pool"], Map<number, Entry>>();

/** This process's snapshot of a session; an empty one if nobody has looked at it before. */
export function snapshotOf({ pool }: Pick<Deps, "pool">, sessionId: number): SessionSnapshot {
  const all = snapshots.get(pool) ?? new Map<number, Entry>();
  snapshots.set(pool, all);
  const usedAtMs = performance.now();
  const { snapshot } = all.get(sessionId) ?? { snapshot: new SessionSnapshot(sessionId) };
  // Inserted again, so that the first one is the least recently used.
  all.delete(sessionId);
  all.set(sessionId, { snapshot, usedAtMs });
  for (const [id, entry] of all) {
    if (all.size <= SNAPSHOTS_MAX && usedAtMs - entry.usedAtMs < UNUSED_MS) break;
    all.delete(id);
  }
  return snapshot;
}
