import { formatShortMoney } from "../base/format/money.ts";

/** The texts of the top-up and of the balance in the top bar. */

// Top up
export const topUpTo = (topUpToCents: number) => `Top up to ${formatShortMoney(topUpToCents)}`;

// Balance chip
export const available = (amount: string) => `Available ${amount}`;
