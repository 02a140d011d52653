import { invalid } from "#src/base/refusal.ts";

/**
 * Refuses a position past the end; undefined is fine.
 * @throws Refusal 422.
 */
export function checkPosition(position: number | undefined, last: number): void {
  if (position === undefined || position <= last) return;
  throw invalid({ position: [`must be less than or equal to ${last}`] });
}
