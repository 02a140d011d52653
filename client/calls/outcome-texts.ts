/** The texts of a call's outcome. */

// Call pill
export const won = "Won";
export const lost = "Lost";
export const refunded = "Refunded";

// Streak
export const winsInARow = (wonCount: number) => `${wonCount} in a row`;
