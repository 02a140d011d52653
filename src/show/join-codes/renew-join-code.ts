import { sql } from "drizzle-orm";
import type { Deps } from "#src/base/deps.ts";
import { renewSecret } from "#src/show/sessions/renew-secret.ts";
import type { SessionCommand, SessionRow } from "#src/show/sessions/with-session.ts";

/**
 * Makes a new join code for a session, and ends the one before. Those who have joined stay.
 * @throws Refusal 404 for an unknown session.
 */
export function renewJoinCode(deps: Deps, command: SessionCommand): Promise<SessionRow> {
  return renewSecret(deps, command, newJoinCode);
}

/** What is renewed. */
export const newJoinCode = {
  columns: { joinCode: sql`new_join_code()` },
  action: "renew_join_code",
} as const;
