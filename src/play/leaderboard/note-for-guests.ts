import type { Env } from "#src/settings/env.ts";
import type { ExclusionNote } from "./schemas.ts";

/** Why a guest is not ranked, where the setting RANK_GUESTS is off; null for others. It is shown like an exclusion. */
export function noteForGuests(
  { rankGuests }: Pick<Env, "rankGuests">,
  { guest }: { guest: boolean },
): ExclusionNote | null {
  if (rankGuests || !guest) return null;
  return {
    sessionId: null,
    reason: "Guests get a rank with an account. Create yours: what you have won counts.",
  };
}
