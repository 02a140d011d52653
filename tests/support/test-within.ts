/**
 * What a test may take that says nothing else. On a very busy machine a process of the product takes a minute to start. A test that hangs
 * holds one of the run's processes up so long, while the others go on.
 */
export const TEST_WITHIN_MS = 180_000;
/** The same for a proof, which starts more, and for a test with many rounds. Each wait in them gives up long before. */
export const PROOF_WITHIN_MS = 3_600_000;
