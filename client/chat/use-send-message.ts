import { type Dispatch, useCallback, useEffect, useState } from "react";
import type { SessionMessage } from "#src/live/relay/schemas.ts";
import type { MessageView } from "#src/play/chat/schemas.ts";
import { type Api, ApiError } from "../base/api/api.ts";
import { randomId } from "../base/browser/random-id.ts";
import { perform } from "../base/live/cable.ts";
import { serverNow } from "../base/live/clock.ts";
import { useApi } from "../base/page/context.ts";
import { isTrouble, refusalText } from "../ui/forms/refused.ts";
import type { ChatAction, Draft } from "./chat-state.ts";
import * as texts from "./chat-texts.ts";

/** The cable replies at once or not at all. After this time the message is sent by HTTP. */
const REPLY_TIMEOUT_MS = 4_000;
const NO_ANSWER = texts.noAnswer;
const SECOND_MS = 1_000;

export type MessageSender = {
  /** The server takes no message before this time, in milliseconds since 1970 by its clock; 0 where it has set none. */
  refusedUntilMs: number;
  send: (body: string) => void;
  /** Sends a failed draft again. If it had arrived after all, it is still one message. */
  resend: (draft: Draft) => void;
  /** Takes each message of the cable, to find the replies. */
  receive: (message: SessionMessage) => void;
};

/**
 * Sends messages to a session's chat: by the cable where it is connected, else by HTTP. A message's client id is its
 * Idempotency-Key, so that it is one message whether it came by cable, by HTTP or by both.
 */
export function useSendMessage(sessionId: number, dispatch: Dispatch<ChatAction>): MessageSender {
  const api = useApi();
  const [refusedUntilMs, setRefusedUntil] = useState(0);
  const pending = usePendingReplies();
  const finish = useCallback(
    (clientId: string, outcome: Outcome) => {
      if ("message" in outcome) return dispatch({ kind: "received", message: outcome.message });
      const { failure, retryAfterSeconds } = outcome;
      if (retryAfterSeconds > 0) setRefusedUntil(serverNow() + retryAfterSeconds * SECOND_MS);
      dispatch({ kind: "failed", clientId, failure });
    },
    [dispatch],
  );
  const sendDraft = useCallback(
    (draft: Draft) => {
      const { clientId, body } = draft;
      dispatch({ kind: "sent", draft });
      const post = () => void postMessage(api, sessionId, draft).then((outcome) => finish(clientId, outcome));
      const channel = { channel: "SessionsChannel", id: String(sessionId) } as const;
      if (perform(channel, "speak", { body, clientId })) pending.add(clientId, post);
      else post();
    },
    [api, dispatch, sessionId, finish, pending],
  );
  const send = useCallback(
    (body: string) => sendDraft({ clientId: randomId(), body, sentAtMs: serverNow(), failure: null }),
    [sendDraft],
  );
  const resend = useCallback(
    (draft: Draft) => sendDraft({ ...draft, sentAtMs: serverNow(), failure: null }),
    [sendDraft],
  );
  const receive = useCallback(
    (message: SessionMessage) => {
      if (message.sourceType !== "Message") return;
      const { eventType, detail } = message;
      const clientId = eventType === "refuse" ? detail.clientId : detail.message.clientId;
      if (clientId === null || !pending.remove(clientId) || eventType !== "refuse") return;
      const { error, detail: sentence, retryAfterSeconds } = detail;
      finish(clientId, { failure: sentence ?? error, retryAfterSeconds: retryAfterSeconds ?? 0 });
    },
    [finish, pending],
  );
  return { refusedUntilMs, send, resend, receive };
}

/** The messages sent by the cable that have no reply yet, by client id. */
function usePendingReplies() {
  const [pending] = useState(() => {
    const timers = new Map<string, ReturnType<typeof setTimeout>>();
    const remove = (clientId: string) => {
      clearTimeout(timers.get(clientId));
      return timers.delete(clientId);
    };
    return {
      /** Calls `onTimeout` where no reply arrives in time. */
      add: (clientId: string, onTimeout: () => void) => {
        const expire = () => remove(clientId) && onTimeout();
        timers.set(clientId, setTimeout(expire, REPLY_TIMEOUT_MS));
      },
      /** @returns false where no reply was pending under this id. */
      remove,
      clear: () => [...timers.keys()].forEach(remove),
    };
  });
  useEffect(() => pending.clear, [pending]);
  return pending;
}

type Outcome = { message: MessageView } | { failure: string; retryAfterSeconds: number };

async function postMessage(api: Api, sessionId: number, { clientId, body }: Draft): Promise<Outcome> {
  try {
    return await api.post(
      "/api/v1/messages",
      { message: { sessionId, body } },
      { headers: { "idempotency-key": clientId } },
    );
  } catch (error) {
    return { failure: failureText(error), retryAfterSeconds: retryAfterOf(error) };
  }
}

function failureText(error: unknown): string {
  if (isTrouble(error)) return NO_ANSWER;
  return error instanceof ApiError ? refusalText(error) : texts.sendFailed;
}

function retryAfterOf(error: unknown): number {
  return error instanceof ApiError ? error.retryAfterS : 0;
}
