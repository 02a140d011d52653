/**
 * What a test may take that says nothing else. On a very busy machine a process of the product takes a minute to start. A test that hangs
 * holds one of the run's processes up so long, while the others go on.
 */
export const TEST_WITHIN_MS = 120_000;
/** The same for a proof, which starts more. */
export const PROOF_WITHIN_MS = 180_000;
