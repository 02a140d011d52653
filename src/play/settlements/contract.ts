/**
 * A result with up to this many calls is paid in one part, within milliseconds, so that no page shows its progress. It is
 * `settle_part_max` of the ledger, the size of the first part.
 */
export const SMALL_SETTLEMENT_MAX = 500;
