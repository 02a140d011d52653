import { invalid } from "#src/base/refusal.ts";
import type { Managing } from "./manage-user.ts";

/** Refuses an admin who would shut themselves out: 422 with a sentence that says what to do instead. */
export function requireOther({ userId, actor }: Managing, detail: string): void {
  if (userId === actor.id) throw invalid({ user: ["is invalid"] }, { detail });
}
