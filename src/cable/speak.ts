import * as v from "valibot";
import type { Deps } from "#src/base/deps.ts";
import { Refusal } from "#src/base/refusal.ts";
import { createMessage } from "#src/chat/create-message.ts";
import { findMessage } from "#src/chat/find-messages.ts";
import { speakData } from "#src/chat/schemas.ts";
import { camelize } from "#src/http/camelize.ts";
import { checkInput } from "#src/http/check-input.ts";
import { limitRate } from "#src/http/rate-limit.ts";
import { rates } from "#src/http/rates.ts";
import type { SessionMessage } from "#src/relay/schemas.ts";
import type { Viewer } from "#src/sign-ins/viewer.ts";

export type SpeakDeps = Pick<Deps, "env" | "pool" | "redis" | "notifyRelay">;

type Spoken = {
  viewer: Viewer;
  sessionId: number;
  /** What the client performed `speak` with. */
  data: unknown;
};

/**
 * Writes what somebody speaks into the session's chat. Everybody who may see it is told, whoever speaks among them.
 * @returns what only the one who spoke is to hear: why it was refused, or the message that it had been already; else null.
 */
export async function speak(
  deps: SpeakDeps,
  { viewer, sessionId, data }: Spoken,
): Promise<SessionMessage | null> {
  try {
    await limitRate(deps, rates.speak, { viewer, address: "" });
    const { body, clientId = crypto.randomUUID() } = checkInput(speakData, camelize(data));
    const speech = { viewer, sessionId: String(sessionId), body, clientId };
    const { messageId, replayed } = await createMessage(deps, speech);
    return replayed ? await again(deps, messageId) : null;
  } catch (error) {
    if (error instanceof Refusal) return refusalFor(data, error);
    throw error;
  }
}

/** It was told long ago, and whoever speaks again may not have heard it. */
async function again({ pool }: Pick<Deps, "pool">, messageId: number): Promise<SessionMessage> {
  const message = await findMessage(pool.db, messageId);
  const version = message.deletedAt === null ? 1 : 2;
  const serverTime = new Date().toISOString();
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
      serverTime: new Date().toISOString(),
    },
  };
}

/** So that the page knows which of its messages is meant, even where nothing else of it can be read. */
function clientIdIn(data: unknown): string | null {
  const known = v.safeParse(spokenId, data);
  return known.success ? known.output : null;
}

const spokenId = v.union([
  v.pipe(
    v.object({ clientId: v.string() }),
    v.transform(({ clientId }) => clientId),
  ),
  v.pipe(
    v.object({ client_id: v.string() }),
    v.transform(({ client_id: clientId }) => clientId),
  ),
]);
