import { setDefaultTimeout } from "bun:test";
import { roundsOf } from "./rounds.ts";
import { PROOF_WITHIN_MS, TEST_WITHIN_MS } from "./test-within.ts";

// Bun uses this for the first file only, and --timeout for the others.
const daily = Bun.main.endsWith(".proof.ts") ? PROOF_WITHIN_MS : TEST_WITHIN_MS;
setDefaultTimeout(roundsOf({ daily, many: PROOF_WITHIN_MS }));
