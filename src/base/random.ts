/** A pseudo-random generator with a seed. The same seed gives the same numbers, so that a repeated run plays the same. */
export type Random = {
  /** At least 0, below 1. */
  roll: () => number;
  chance: (probability: number) => boolean;
  /** An integer, both ends included. */
  between: (low: number, high: number) => number;
};

const SPREAD = 0x9e_37_79_b9;
const RANGE = 2 ** 32;

/** @param seed any text. Example: "event 12 kestrel". */
export function createRandom(seed: string): Random {
  let state = Number(BigInt.asUintN(32, BigInt(Bun.hash(seed))));
  // The mixing steps of splitmix32.
  const roll = () => {
    state = (state + SPREAD) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21_f0_aa_ad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x73_5a_2d_97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / RANGE;
  };
  return {
    roll,
    chance: (probability) => roll() < probability,
    between: (low, high) => low + Math.floor(roll() * (high - low + 1)),
  };
}
