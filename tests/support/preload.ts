import { setDefaultTimeout } from "bun:test";
import { PROOF_WITHIN_MS } from "./test-within.ts";

// For a file that is run by hand. Bun uses this for the first file only, and --timeout for the others.
setDefaultTimeout(PROOF_WITHIN_MS);
