import * as v from "valibot";
import type { Viewer } from "#src/sign-ins/viewer.ts";
import { catchUp } from "./catch-up.ts";
import type { Admission } from "./channels.ts";
import { parseJson } from "./parse-command.ts";
import { speak, type SpeakDeps } from "./speak.ts";

const action = v.looseObject({ action: v.string() });

export type Performer = { viewer: Viewer; admission: Admission };

/**
 * Performs what a client asks of its subscription.
 * @param text JSON with the action's name and what belongs to it.
 * @returns messages for this subscription alone, as JSON; null for an unknown action. Rejects for what does not fit.
 */
export async function performAction(
  deps: SpeakDeps,
  { viewer, admission }: Performer,
  text: string,
): Promise<string[] | null> {
  const data = v.parse(action, parseJson(text));
  switch (data.action) {
    case "since":
      return catchUp(deps.redis, admission.stream, data);
    case "speak": {
      if (admission.sessionId === null) return null;
      const answer = await speak(deps, { viewer, sessionId: admission.sessionId, data });
      return answer === null ? [] : [JSON.stringify(answer)];
    }
    default:
      return null;
  }
}
