import type { Env } from "#src/settings/env.ts";
import { stageKeyOf } from "#src/show/sessions/require-watcher.ts";
import type { SessionRow } from "#src/show/sessions/with-session.ts";
import type { StageLinkAnswer } from "./schemas.ts";

/** The stage link of a session, as hosts read it. */
export function presentStageLink(
  env: Pick<Env, "publicUrl" | "secretKey">,
  session: Pick<SessionRow, "id" | "slug" | "stageLinkGeneration">,
): StageLinkAnswer {
  const key = stageKeyOf(env, session);
  return { stageLink: { key, url: `${env.publicUrl}/sessions/${session.slug}/stage?key=${key}` } };
}
