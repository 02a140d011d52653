import { setDefaultTimeout } from "bun:test";

/** Tests wait for conditions, so a long timeout costs nothing and helps on a busy machine. */
const TEST_WITHIN_MS = 180_000;

// Bun uses this for the first file only, and --timeout for the others.
// The first test that needs a database waits for initdb and, on a new machine, for the installation of Redis.
setDefaultTimeout(TEST_WITHIN_MS);
