import { invalid } from "#src/base/refusal.ts";
import { blueprintLimits } from "./contract.ts";

/**
 * Refuses more events than a blueprint takes.
 * @throws Refusal 422; it says how many more there is room for.
 */
export function checkRoom({ there, more }: { there: number; more: number }): void {
  const { eventsMax } = blueprintLimits;
  if (there + more <= eventsMax) return;
  const detail = `It has ${there} events, so there is room for ${eventsMax - there} more.`;
  throw invalid({ blueprint: [`is too long (maximum is ${eventsMax} events)`] }, { detail });
}
