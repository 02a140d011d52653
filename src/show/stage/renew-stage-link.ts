import { sql } from "drizzle-orm";
import { sessions } from "#db/schema/sessions.ts";
import type { Deps } from "#src/base/deps.ts";
import { renewSecret } from "#src/show/sessions/renew-secret.ts";
import type { SessionCommand, SessionRow } from "#src/show/sessions/with-session.ts";

/**
 * Makes a new stage link for a session, and ends the one before. Screens that were opened with it see no more than everybody.
 * @returns the session, from which the link follows.
 * @throws Refusal 404 for an unknown session.
 */
export function renewStageLink(deps: Deps, command: SessionCommand): Promise<SessionRow> {
  return renewSecret(deps, command, {
    columns: { stageLinkGeneration: sql`${sessions.stageLinkGeneration} + 1` },
    action: "renew_stage_link",
  });
}
