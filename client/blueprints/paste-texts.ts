import { countOf } from "../base/format/count.ts";

export const readSoFar = (count: number, leftOutCount: number) =>
  leftOutCount === 0
    ? `Read: ${countOf(count, "action")}.`
    : `Read: ${countOf(count, "action")}. Left out: ${leftOutCount}.`;

type Described = { yes: string; no: string; seconds: string; more: readonly string[] };
export const describeLine = ({ yes, no, seconds: duration, more }: Described) =>
  [`${yes} or ${no}`, /^\d+$/.test(duration) ? `${duration} s` : duration, ...more].join(", ");
export const waitOf = (wait: string) => `wait ${wait}`;
export const wait = "Wait, seconds";

export const readAs = {
  letters: {
    label: "Letters of the file",
    hint: "It is no UTF-8, so this is a guess. If words look wrong, choose other letters.",
  },
  sheet: { label: "Sheet", hint: undefined },
};
export const tooLarge = (name: string) => `${name} is too large. Paste its lines here instead.`;
export const notRead = (name: string) => `${name} could not be read. Try again, or paste its lines here.`;
