import { existsSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";

/** What a whole run takes at most, with its databases and browsers. */
export const MEMORY_BYTES = 6 * 2 ** 30;
/** A folder in memory on Linux. */
const SHARED_MEMORY = "/dev/shm";

/**
 * Where the tests' files are: in memory, where it has the room. Each file of tests has a database of some 300 files, and on disk each new
 * file costs more the more have just been deleted. It was a third of the run's time.
 */
export function filesFolder(): string {
  return existsSync(SHARED_MEMORY) && freeBytes(SHARED_MEMORY) >= MEMORY_BYTES ? SHARED_MEMORY : tmpdir();
}

export function freeBytes(folder: string): number {
  // bavail: what is free for others than root.
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
