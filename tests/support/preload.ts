import { setDefaultTimeout } from "bun:test";

const TEST_WITHIN_MS = 20_000;

// The first test that asks for a database waits for initdb and, on a new machine, for Redis to be installed.
setDefaultTimeout(TEST_WITHIN_MS);
