import { sql } from "drizzle-orm";
import { sessions } from "#db/schema/sessions.ts";
import type { Deps } from "#src/base/deps.ts";
import type { Env } from "#src/settings/env.ts";
import { renewSecret } from "#src/show/sessions/renew-secret.ts";
import { stageKeyOf } from "#src/show/sessions/require-watcher.ts";
import type { SessionCommand, SessionRow } from "#src/show/sessions/with-session.ts";
import type { StageLinkAnswer } from "./schemas.ts";

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

/** The stage link of a session, as hosts read it. */
export function presentStageLink(
  env: Pick<Env, "publicUrl" | "secretKey">,
  session: Pick<SessionRow, "id" | "slug" | "stageLinkGeneration">,
): StageLinkAnswer {
  const key = stageKeyOf(env, session);
  return { stageLink: { key, url: `${env.publicUrl}/sessions/${session.slug}/stage?key=${key}` } };
}
