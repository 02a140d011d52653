import { formatChange, formatMoney, formatShortMoney } from "../base/format/money.ts";

/** The texts of the wallet. */

// Wallet screen
export const wallet = "Wallet";
export const transactions = "Transactions";
export const exportAsCsv = "Export as CSV";
export const balance = "Balance";
export const available = "Available";
export const heldInCalls = "Held in calls";
export const owed = "Owed";
export const record = "Record";
export const won = "Won";
export const lost = "Lost";
export const winRate = "Win rate";
export const net = "Net";
export const wonPerDollar = "Won per $1";
export const bestStreak = "Most right in a row";

// Balance plot
export const movement = "Movement";
export const plotTitle = (count: number) => `Available over the last ${count} movements`;
/** "21 Nov 8:04 AM: +$7.12, available $107.12" */
export const movementSpoken = (when: string, changeCents: number, availableCents: number) =>
  `${when}: ${formatChange(changeCents)}, available ${formatMoney(availableCents)}`;
export const plotSummary = (fromCents: number, toCents: number, lowestCents: number, highestCents: number) =>
  `From ${formatMoney(fromCents)} to ${formatMoney(toCents)}, lowest ${formatMoney(lowestCents)}, highest ${formatMoney(highestCents)}`;

// Transaction table
export const grant = "Play money";
export const deposit = "Deposit";
export const hold = "Wager";
export const release = "Wager back";
export const settle = "Result";
export const refund = "Refund";
export const correction = "Correction";
export const adjustment = "Adjustment";
export const noTransactionsYet = "Nothing has moved yet.";
export const whatColumn = "What";
export const amount = "Amount";
export const availableAfter = "Available after";
export const alsoHeld = (heldCents: number) => ` and ${formatMoney(heldCents)} held`;

// Top-up
export const toppedUp = (availableBalanceCents: number) =>
  `Topped up: ${formatMoney(availableBalanceCents)} to play with.`;
export const nothingToTopUp = "Your wallet is not empty, so there is nothing to top up.";
export const outOfPlayMoney = "Out of play money?";
export const toppedUpToday = "You have topped up today. You can top up again tomorrow.";
export const topUpHint = (topUpToCents: number) =>
  `Once a day you can go on with ${formatShortMoney(topUpToCents)}.`;
export const owedFirstHint = "What you owe is paid from it first.";
