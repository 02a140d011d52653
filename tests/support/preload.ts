import { setDefaultTimeout } from "bun:test";
import { TEST_WITHIN_MS } from "./test-within.ts";

// Bun uses this for the first file only, and --timeout for the others.
setDefaultTimeout(TEST_WITHIN_MS);
