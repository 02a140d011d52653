/** The texts of a call's outcome. */

// Call pill
export const won = "Won";
export const lost = "Lost";
export const refunded = "Refunded";
export const right = "Right";

// Call amount
export const moneyBack = (money: string) => `${money} back`;

// Streak
export const winsInARow = (wonCount: number) => `${wonCount} in a row`;
