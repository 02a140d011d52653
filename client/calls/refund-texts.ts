/** Why a wager came back. */

// Refund cause
export const skippedByHost = "The host skipped it";
export const resetByHost = "The host reset it";
export const takenBackByHost = "The host took it back";
export const takenBack = "Taken back";
export const calledOff = "The action was called off";
export const noOtherSide = "Nobody called the other side";
export const cameTooLate = "It came too late";
