import { countOf } from "../base/format/count.ts";
import { durationText } from "../base/format/countdown.ts";
import { formatMoney, formatShortMoney } from "../base/format/money.ts";

export const space = "Space";

export const callsInPool = (callsCount: number, totalCents: number) =>
  `${countOf(callsCount, "call")}, ${formatShortMoney(totalCents)} in the pool`;
export const secondsAndStart = (seconds: number, start: string) => `${durationText(seconds)}, ${start}`;

export const takesBackOwn = (callsCount: number, cents: number) =>
  callsCount === 1
    ? `Your call of ${formatMoney(cents)} is taken back.`
    : `Your ${callsCount} calls of ${formatMoney(cents)} are taken back.`;

export const seconds = "seconds";
