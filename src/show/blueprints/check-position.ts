import { invalid } from "#src/base/refusal.ts";

/**
 * Refuses a position past `last`. Undefined means no position was given and passes.
 * @throws Refusal 422.
 */
export function checkPosition(position: number | undefined, last: number): void {
  if (position === undefined || position <= last) return;
  throw invalid({ position: [`must be less than or equal to ${last}`] });
}
