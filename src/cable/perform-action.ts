import * as v from "valibot";
import type { Viewer } from "#src/sign-ins/viewer.ts";
import { catchUp } from "./catch-up.ts";
import type { ChannelStreams } from "./channels.ts";
import { parseJson } from "./parse-command.ts";
import { sendMessage, type SendMessageDeps } from "./send-message.ts";

const action = v.looseObject({ action: v.string() });

type ActionContext = { viewer: Viewer; streams: ChannelStreams };

/**
 * Performs an action of a subscription: `since` catches up, `speak` sends a chat message.
 * @param text JSON with the action's name and its data.
 * @returns messages for this subscription alone, as JSON; null for an unknown action. Rejects if the data is invalid.
 */
export async function performAction(
  deps: SendMessageDeps,
  { viewer, streams }: ActionContext,
  text: string,
): Promise<string[] | null> {
  const data = v.parse(action, parseJson(text));
  switch (data.action) {
    case "since":
      return catchUp(deps.redis, streams.stream, data);
    case "speak": {
      if (streams.sessionId === null) return null;
      const answer = await sendMessage(deps, { viewer, sessionId: streams.sessionId, data });
      return answer === null ? [] : [JSON.stringify(answer)];
    }
    default:
      return null;
  }
}
