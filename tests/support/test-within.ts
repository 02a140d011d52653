/**
 * What a test may take that says nothing else: far more than any takes on a busy machine. One that hangs holds its process up so long, while
 * the others go on.
 */
export const TEST_WITHIN_MS = 60_000;
/** The same for a proof, which starts more. */
export const PROOF_WITHIN_MS = 180_000;
