import { expect } from "bun:test";

const US_PER_MS = 1_000;
/** What costs so little is not compared: a compiler or a garbage collector has worked meanwhile. */
const LITTLE_MS = 200;
/** Four times the text may cost twice as much again. Where it is searched from each of its letters it costs sixteen times as much. */
const FOUR_TIMES_MAX = 8;
const TIMES = 3;

/**
 * Expects that four times the text costs about four times the work. Work is the time of this process on its processors, which does not
 * depend on how busy the machine is. Only a difference beyond all doubt is a failure.
 * @param size of the longer text.
 */
export async function expectLinear(
  what: string,
  size: number,
  work: (size: number) => unknown,
): Promise<void> {
  let long = await costOf(() => work(size));
  if (long <= LITTLE_MS) return;
  const short = await leastOf(() => work(size / 4));
  const isLinear = () => long <= Math.max(LITTLE_MS, FOUR_TIMES_MAX * short);
  if (!isLinear()) long = await leastOf(() => work(size));
  expect({ what, short, long, isLinear: isLinear() }).toMatchObject({ isLinear: true });
}

async function leastOf(work: () => unknown): Promise<number> {
  let least = Infinity;
  for (let time = 0; time < TIMES; time += 1) least = Math.min(least, await costOf(work));
  return least;
}

async function costOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return Math.round((user + system) / US_PER_MS);
}

/** Letters, and short texts, of which a long text may be made: what parsers look for, and what is invisible, sorted or read backwards. */
export const repeatedTexts = [
  ...Array.from(" \t\n\r\v\u00a0\u2028\u2029\u0301\u200b\u200d\u202e"),
  ...Array.from("([{\"'“,;|:.?-*_•#<&%\\@/=+01aß"),
  "👨‍👩‍👧‍👦",
  "\u0315\u0316",
];
