import { setDefaultTimeout } from "bun:test";
import { createRequire } from "node:module";
import { recordContexts } from "./react-contexts.ts";

const TEST_WITHIN_MS = 20_000;

// The first test that needs a database waits for initdb and, on a new machine, for the installation of Redis.
setDefaultTimeout(TEST_WITHIN_MS);

recordContexts(createRequire(import.meta.url)("react"));
