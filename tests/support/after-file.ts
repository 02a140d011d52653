import { afterAll, afterEach } from "bun:test";
import { makeDataFolder, type ProductProcess, startProduct } from "./product-process.ts";

// Decision: nothing that a failed test has left behind holds up the run. Each clean-up has a bound, and one that does not end fails its
// file by name while the others still run. So tests use these and not Bun's hooks, which wait as long as a whole test may take.

/** What a clean-up may take, on a busy machine too: the end of a product's processes takes 12 s at most. */
const WITHIN_MS = 20_000;
/** The others of a file after one that did not end: they wait for the same, most likely. */
const LATER_WITHIN_MS = 1_000;
/** All of a file. Only files with many servers come near it. */
const ALL_WITHIN_MS = 300_000;

type CleanUp = () => unknown;
/** `place` knows the line that has registered it. */
type Registered = { cleanUp: CleanUp; place: Error };

/** The clean-up of the running test file. */
const pending: Registered[] = [];

/**
 * Registers clean-up for the end of the test file. The last registered runs first, so that a resource is closed before those
 * that it depends on. All clean-up runs, even if a part fails or does not end. The first error fails the file.
 */
export function afterFile(cleanUp: CleanUp): void {
  if (pending.length === 0) afterAll(runAll, ALL_WITHIN_MS);
  pending.push({ cleanUp, place: new Error("registered here") });
}

/** Registers clean-up for the end of each test. */
export function afterTest(cleanUp: CleanUp): void {
  afterEach(async () => void (await cleanUp()), WITHIN_MS);
}

/** Registers clean-up for the end of a `describe`. */
export function afterGroup(cleanUp: CleanUp): void {
  afterAll(async () => void (await cleanUp()), WITHIN_MS);
}

/** A folder that servers can enter too. It is removed with the file. */
export function makeFileFolder(): string {
  const { dataDir, remove } = makeDataFolder();
  afterFile(remove);
  return dataDir;
}

/** Starts the whole product in a folder of its own; see `startProduct`. It ends with the file. */
export function startFileProduct(
  variables: Record<string, string> = {},
): ProductProcess & { dataDir: string } {
  const dataDir = makeFileFolder();
  const product = startProduct(dataDir, variables);
  afterFile(async () => {
    product.kill("SIGTERM");
    await product.exited;
  });
  return { dataDir, ...product };
}

async function runAll(): Promise<void> {
  const errors: unknown[] = [];
  let withinMs = WITHIN_MS;
  for (const { cleanUp, place } of pending.splice(0).toReversed()) {
    try {
      if (await endsWithin(withinMs, cleanUp)) continue;
      place.message = `a clean-up did not end within ${withinMs / 1_000} s: ${cleanUp.toString()}`;
      withinMs = LATER_WITHIN_MS;
      errors.push(place);
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}

async function endsWithin(ms: number, cleanUp: CleanUp): Promise<boolean> {
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => late.resolve(false), ms);
  try {
    return await Promise.race([Promise.resolve(cleanUp()).then(() => true), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
