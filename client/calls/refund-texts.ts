/** Why a wager came back. */

// Refund cause
export const skippedByHost = "The host skipped it";
export const resetByHost = "The host reset it";
export const takenBackByHost = "The host took it back";
export const takenBack = "Taken back";
export const calledOff = "The question was called off";
export const noOtherSide = "You were right. Nobody took the other side.";
export const nobodyRight = "Nobody called the result";
export const cameTooLate = "It came too late";
