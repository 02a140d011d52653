import { afterAll } from "bun:test";

type CleanUp = () => unknown;

/** The clean-up of the running test file. */
const pending: CleanUp[] = [];

/**
 * Registers clean-up for the end of the test file. The last registered runs first, so that a resource is closed before those
 * that it depends on. All clean-up runs, even if a part fails. The first error fails the file.
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
