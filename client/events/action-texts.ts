import { say } from "#src/http/contract.ts";
import { formatMoney } from "../base/format/money.ts";

export const byTheHost = (done: string) => `${done} by the host.`;
export const doesNotCount = "Does not count";
export const right = "You were right.";
export const otherSideEmpty = "Nobody took the other side";
export const rightUnopposed = `${right} ${otherSideEmpty}.`;
export const offline = "Offline";
export const corrected = (resultLabel: string) => say`Corrected: ${resultLabel}`;
export const closed = "Closed";
export const noPoolYet = "No pool yet";
export const noCallMade = "You made no call on this one.";
export const couldPay = (money: string) => `could pay ${money}`;
export const myCalls = "My calls";
export const wager = "Wager";
export const youCalled = (label: string, wagerCents: number) =>
  say`You called ${label}, ${formatMoney(wagerCents)}.`;
