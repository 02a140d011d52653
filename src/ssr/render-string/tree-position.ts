import { output } from "./output.ts";

/**
 * React makes the ids of useId from the position in the tree: bits that say, level by level from the right, which child among
 * how many. These functions repeat its arithmetic. Only lists, and components that take an id, add a level.
 */

const BASE = 32;
/** Bits for which an integer has room. What is above goes into a text. */
const BITS_MAX = 30;
const BITS_PER_DIGIT = 5;

type TreePosition = { treeId: number; treeOverflow: string };

export function treePosition(): TreePosition {
  return { treeId: output.treeId, treeOverflow: output.treeOverflow };
}

export function returnTo({ treeId, treeOverflow }: TreePosition): void {
  output.treeId = treeId;
  output.treeOverflow = treeOverflow;
}

/** Moves from a position to one of its children. */
export function moveToChild({ treeId, treeOverflow }: TreePosition, count: number, index: number): void {
  const baseLength = 31 - Math.clz32(treeId);
  const base = treeId & ~(1 << baseLength);
  const length = 32 - Math.clz32(count) + baseLength;
  if (length <= BITS_MAX) {
    output.treeId = (1 << length) | ((index + 1) << baseLength) | base;
    output.treeOverflow = treeOverflow;
    return;
  }
  const movedBits = baseLength - (baseLength % BITS_PER_DIGIT);
  const moved = (base & ((1 << movedBits) - 1)).toString(BASE);
  const restLength = baseLength - movedBits;
  const bits = 32 - Math.clz32(count) + restLength;
  output.treeId = (1 << bits) | ((index + 1) << restLength) | (base >> movedBits);
  output.treeOverflow = moved + treeOverflow;
}

/** The next id of the component being rendered. */
export function takeId(): string {
  const { treeId, treeOverflow, localIds } = output;
  output.localIds += 1;
  const position = (treeId & ~(1 << (31 - Math.clz32(treeId)))).toString(BASE) + treeOverflow;
  return `_R_${position}${localIds > 0 ? `H${localIds.toString(BASE)}` : ""}_`;
}
