import * as v from "valibot";
import { inSession } from "#src/people/sign-ins/count-as-host.ts";
import { catchUp } from "./catch-up.ts";
import type { CableViewer } from "./channels.ts";
import { parseJson } from "./parse-command.ts";
import { sendMessage, type SendMessageDeps } from "./send-message.ts";

const action = v.looseObject({ action: v.string() });

type ActionContext = {
  viewer: CableViewer;
  /** The stream that a page catches up on. */
  stream: string;
  sessionId: number | null;
};

/**
 * Performs an action of a subscription: `since` catches up, `speak` sends a chat message.
 * @param text JSON with the action's name and its data.
 * @returns messages for this subscription alone, as JSON; null for an unknown action. Rejects if the data is invalid.
 */
export async function performAction(
  deps: SendMessageDeps,
  { viewer, stream, sessionId }: ActionContext,
  text: string,
): Promise<string[] | null> {
  const data = v.parse(action, parseJson(text));
  switch (data.action) {
    case "since":
      return catchUp(deps.redis, stream, data);
    case "speak": {
      if (sessionId === null) return null;
      const answer = await sendMessage(deps, { viewer: inSession(viewer, sessionId), sessionId, data });
      return answer === null ? [] : [JSON.stringify(answer)];
    }
    default:
      return null;
  }
}
