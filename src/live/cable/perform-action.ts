import * as v from "valibot";
import type { Deps } from "#src/base/deps.ts";
import { Refusal } from "#src/base/refusal.ts";
import { serverNow } from "#src/base/server-clock.ts";
import { camelize, checkInput } from "#src/http/check-input.ts";
import { limitRate } from "#src/http/rate-limit.ts";
import { rates } from "#src/http/rates.ts";
import type { SessionMessage } from "#src/live/relay/schemas.ts";
import { requireScope } from "#src/people/sign-ins/access-tokens.ts";
import { createMessage } from "#src/play/chat/create-message.ts";
import { findMessage } from "#src/play/chat/find-messages.ts";
import { speakData } from "#src/play/chat/schemas.ts";
import { catchUp } from "./catch-up.ts";
import { parseJson } from "./frames.ts";
import type { Subscription } from "./hub-api.ts";

const clientIdData = v.union([
  v.pipe(
    v.object({ clientId: v.string() }),
    v.transform(({ clientId }) => clientId),
  ),
  v.pipe(
    v.object({ client_id: v.string() }),
    v.transform(({ client_id: clientId }) => clientId),
  ),
]);

const action = v.looseObject({ action: v.string() });

/**
 * Performs an action of a subscription: `since` catches up, `speak` sends a chat message.
 * @param text JSON with the action's name and its data.
 * @returns messages for this subscription alone, as JSON; null for an unknown action. Rejects if the data is invalid.
 */
export async function performAction(
  deps: SendMessageDeps,
  { client, groups: [{ stream }], sessionId }: Subscription,
  text: string,
): Promise<string[] | null> {
  const data = v.parse(action, parseJson(text));
  switch (data.action) {
    case "since":
      return catchUp(deps.redis, stream, data);
    case "speak": {
      if (sessionId === null) return null;
      const answer = await sendMessage(deps, { client, sessionId, data });
      return answer === null ? [] : [JSON.stringify(answer)];
    }
    default:
      return null;
  }
}

type SendMessageDeps = Pick<Deps, "env" | "pool" | "redis" | "notifyRelay">;

type SpeakAction = {
  client: Pick<Subscription["client"], "viewer" | "token">;
  sessionId: number;
  /** The data of the client's `speak` action. */
  data: unknown;
};

/**
 * Writes a message to the session's chat. The relay broadcasts it to everyone who may see the chat, the sender included.
 * @returns a message for the sender alone: the refusal, or the message itself if it had been sent before; else null.
 */
async function sendMessage(
  deps: SendMessageDeps,
  { client: { viewer, token }, sessionId, data }: SpeakAction,
): Promise<SessionMessage | null> {
  try {
    if (token !== null) requireScope(token, null);
    await limitRate(deps, rates.speak, { viewer, address: "" });
    const { body, clientId = crypto.randomUUID() } = checkInput(speakData, camelize(data));
    const message = { viewer, sessionId: String(sessionId), body, clientId };
    const { messageId, replayed } = await createMessage(deps, message);
    return replayed ? await repeatMessage(deps, messageId) : null;
  } catch (error) {
    if (error instanceof Refusal) return refusalFor(data, error);
    throw error;
  }
}

/** It was broadcast earlier, and a sender who repeats it may have missed that. */
async function repeatMessage({ pool }: Pick<Deps, "pool">, messageId: number): Promise<SessionMessage> {
  const message = await findMessage(pool.db, messageId);
  const version = message.deletedAt === null ? 1 : 2;
  const serverTime = serverNow().toISOString();
  return { sourceType: "Message", eventType: "create", detail: { message, version, serverTime } };
}

function refusalFor(data: unknown, { status, code, message, details }: Refusal): SessionMessage {
  return {
    sourceType: "Message",
    eventType: "refuse",
    detail: {
      clientId: clientIdIn(data),
      status,
      code,
      error: message,
      detail: details.detail ?? null,
      retryAfterSeconds: details.retryAfterSeconds ?? null,
      serverTime: serverNow().toISOString(),
    },
  };
}

/** Tells the page which of its messages was refused, even if the rest of the data is invalid. */
function clientIdIn(data: unknown): string | null {
  const parsed = v.safeParse(clientIdData, data);
  return parsed.success ? parsed.output : null;
}
