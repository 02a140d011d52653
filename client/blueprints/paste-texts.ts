import { countOf } from "../base/format/count.ts";

/** The texts for adding many actions at once. */

export const readSoFar = (count: number, leftOutCount: number) =>
  leftOutCount === 0
    ? `Read: ${countOf(count, "action")}.`
    : `Read: ${countOf(count, "action")}. Left out: ${leftOutCount}.`;

// Preview
type Described = { yes: string; no: string; seconds: string; more: readonly string[] };
export const describeLine = ({ yes, no, seconds: duration, more }: Described) =>
  [`${yes} or ${no}`, /^\d+$/.test(duration) ? `${duration} s` : duration, ...more].join(", ");
export const waitOf = (wait: string) => `wait ${wait}`;
export const wait = "Wait, seconds";
