import * as v from "valibot";
import type { Deps } from "#src/base/deps.ts";
import { cannotTransitionVia } from "#src/base/transition.ts";
import { storedSettings } from "#src/show/sessions/schemas.ts";
import {
  auditSession,
  type SessionCommand,
  type SessionRow,
  withSession,
  writeSession,
} from "#src/show/sessions/with-session.ts";

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
