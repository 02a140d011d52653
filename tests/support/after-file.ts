import { afterAll } from "bun:test";

type CleanUp = () => unknown;

/** The clean-up of the test file that runs now. */
const pending: CleanUp[] = [];

/**
 * Registers clean-up for the end of the test file. The last one registered runs first, so that what was built on something
 * else ends before it. All of it runs, also when a part fails; the first error fails the file.
 */
export function afterFile(cleanUp: CleanUp): void {
  if (pending.length === 0) afterAll(runAll);
  pending.push(cleanUp);
}

async function runAll(): Promise<void> {
  const errors: unknown[] = [];
  for (const cleanUp of pending.splice(0).toReversed()) {
    try {
      await cleanUp();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}
