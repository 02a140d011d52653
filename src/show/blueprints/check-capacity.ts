import { invalid } from "#src/base/refusal.ts";
import { blueprintLimits } from "./contract.ts";

/**
 * Refuses more events than a blueprint can have.
 * @throws Refusal 422; it says how many more can be added.
 */
export function checkCapacity({ existing, added }: { existing: number; added: number }): void {
  const { eventsMax } = blueprintLimits;
  if (existing + added <= eventsMax) return;
  const detail = `It has ${existing} events, so there is room for ${eventsMax - existing} more.`;
  throw invalid({ blueprint: [`is too long (maximum is ${eventsMax} events)`] }, { detail });
}
