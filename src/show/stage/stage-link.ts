import { sql } from "drizzle-orm";
import * as v from "valibot";
import { sessions } from "#db/schema/sessions.ts";
import type { Deps } from "#src/base/deps.ts";
import { cannotTransitionVia } from "#src/base/refusal.ts";
import type { Env } from "#src/settings/env.ts";
import { stageKeyOf } from "#src/show/sessions/require-watcher.ts";
import { storedSettings } from "#src/show/sessions/schemas.ts";
import {
  auditSession,
  renewSecret,
  type SessionCommand,
  type SessionRow,
  withSession,
  writeSession,
} from "#src/show/sessions/with-session.ts";
import type { StageLinkAnswer } from "./schemas.ts";

/**
 * Makes a new stage link for a session, and ends the one before. Screens that were opened with it see no more than everybody.
 * @returns the session, from which the link follows.
 */
export function renewStageLink(deps: Deps, command: SessionCommand): Promise<SessionRow> {
  return renewSecret(deps, command, {
    columns: { stageLinkGeneration: sql`${sessions.stageLinkGeneration} + 1` },
    action: "renew_stage_link",
  });
}

export function presentStageLink(
  env: Pick<Env, "publicUrl" | "secretKey">,
  session: Pick<SessionRow, "id" | "slug" | "stageLinkGeneration">,
): StageLinkAnswer {
  const key = stageKeyOf(env, session);
  return { stageLink: { key, url: `${env.publicUrl}/sessions/${session.slug}/stage?key=${key}` } };
}

// Decision: the big screen is told by a moment among the settings of the session. It ends by what happens after it, so nothing has to
// take it back, and a screen that is opened later shows the same.

/**
 * Shows the leaders on the big screen until a question opens or a result is decided, or ends that.
 * @throws Refusal 404 for an unknown session; 422 unless it is live.
 */
export function showLeaders(
  deps: Deps,
  { shown, ...command }: SessionCommand & { shown: boolean },
): Promise<SessionRow> {
  return withSession(deps, command, async (tx, locked) => {
    const { session, at } = locked;
    if (session.state !== "running" && session.state !== "paused") throw cannotTransitionVia("Show leaders");
    const { leadersAt: before, ...others } = v.parse(storedSettings, session.settings);
    const now = new Date(at).toISOString();
    const settings = shown ? { ...others, leadersAt: now } : others;
    await auditSession(tx, locked, {
      action: shown ? "show_leaders" : "leave_leaders",
      before: { leadersAt: before ?? null },
      after: { leadersAt: shown ? now : null },
    });
    return writeSession(tx, locked, { settings });
  });
}
