export const callStates = ["placed", "closed", "resolved", "soft_destroyed"] as const;
export type CallState = (typeof callStates)[number];
/** The states in which a call holds nothing any more. */
export const endedCallStates = ["resolved", "soft_destroyed"] as const;

export const outcomes = ["won", "lost", "refunded"] as const;
export type Outcome = (typeof outcomes)[number];

/** How a wager came back without a result: its event was skipped or reset, or an admin took the call back. */
export const refundCauses = ["skip", "reset", "admin"] as const;
export type RefundCause = (typeof refundCauses)[number];

/** Why a settlement refunded wagers. */
export const refundReasons = ["effective_at", "void", "no_winner", "no_loser"] as const;
export type RefundReason = (typeof refundReasons)[number];
