import { type Dispatch, useCallback, useEffect, useState } from "react";
import type { MessageView } from "#src/chat/schemas.ts";
import type { SessionMessage } from "#src/relay/schemas.ts";
import { type Api, ApiError } from "../api.ts";
import { perform } from "../cable.ts";
import { serverNow } from "../clock.ts";
import { useApi } from "../context.ts";
import { isTrouble, refusalText } from "../refused.ts";
import type { Draft, TalkChange } from "./talk.ts";

/** Over the cable an answer comes at once or not at all; then the same is asked in the ordinary way. */
const ANSWER_WITHIN_MS = 4_000;
const NO_ANSWER = "No answer from the server. Sent again, it is still one message.";
const SECOND_MS = 1_000;
const RETRY_AFTER = "retry-after";

export type Speaking = {
  /** Until when the server wants no further message, in milliseconds since 1970 by its clock; 0: it has not said so. */
  refusedUntilMs: number;
  say: (body: string) => void;
  /** Sends again what did not arrive; if it did after all, it is still one message. */
  sayAgain: (draft: Draft) => void;
  /** Takes note of what the cable brings. */
  hear: (message: SessionMessage) => void;
};

/** Says things in a session's chat, over the cable where there is one, else by the API, always under one client id. */
export function useSpeaking(sessionId: number, change: Dispatch<TalkChange>): Speaking {
  const api = useApi();
  const [refusedUntilMs, setRefusedUntil] = useState(0);
  const waiting = useWaiting();
  const take = useCallback(
    (clientId: string, outcome: Outcome) => {
      if ("message" in outcome) return change({ kind: "heard", message: outcome.message });
      if (outcome.waitS > 0) setRefusedUntil(serverNow() + outcome.waitS * SECOND_MS);
      change({ kind: "failed", clientId, failure: outcome.failure });
    },
    [change],
  );
  const send = useCallback(
    (draft: Draft) => {
      const { clientId, body } = draft;
      change({ kind: "sent", draft });
      const post = () => void postMessage(api, sessionId, draft).then((outcome) => take(clientId, outcome));
      const channel = { channel: "SessionsChannel", id: String(sessionId) } as const;
      if (perform(channel, "speak", { body, clientId })) waiting.wait(clientId, post);
      else post();
    },
    [api, change, sessionId, take, waiting],
  );
  const say = useCallback(
    (body: string) => send({ clientId: crypto.randomUUID(), body, sentAtMs: serverNow(), failure: null }),
    [send],
  );
  const sayAgain = useCallback(
    (draft: Draft) => send({ ...draft, sentAtMs: serverNow(), failure: null }),
    [send],
  );
  const hear = useCallback(
    (heard: SessionMessage) => {
      if (heard.sourceType !== "Message") return;
      const clientId = heard.eventType === "refuse" ? heard.detail.clientId : heard.detail.message.clientId;
      if (clientId === null || !waiting.end(clientId) || heard.eventType !== "refuse") return;
      const { error, detail, retryAfterSeconds } = heard.detail;
      take(clientId, { failure: detail ?? error, waitS: retryAfterSeconds ?? 0 });
    },
    [take, waiting],
  );
  return { refusedUntilMs, say, sayAgain, hear };
}

/** What was sent over the cable and has no answer yet, by its client id. */
function useWaiting() {
  const [waiting] = useState(() => {
    const timers = new Map<string, ReturnType<typeof setTimeout>>();
    const end = (clientId: string) => {
      clearTimeout(timers.get(clientId));
      return timers.delete(clientId);
    };
    return {
      /** Calls `unanswered` where there is no answer in time. */
      wait: (clientId: string, unanswered: () => void) => {
        const late = () => end(clientId) && unanswered();
        timers.set(clientId, setTimeout(late, ANSWER_WITHIN_MS));
      },
      /** @returns false where nothing was waiting under this id. */
      end,
      endAll: () => [...timers.keys()].forEach(end),
    };
  });
  useEffect(() => waiting.endAll, [waiting]);
  return waiting;
}

type Outcome = { message: MessageView } | { failure: string; waitS: number };

async function postMessage(api: Api, sessionId: number, { clientId, body }: Draft): Promise<Outcome> {
  try {
    return await api.post(
      "/api/v1/messages",
      { message: { sessionId, body } },
      { headers: { "idempotency-key": clientId } },
    );
  } catch (error) {
    return { failure: failureOf(error), waitS: waitIn(error) };
  }
}

function failureOf(error: unknown): string {
  if (isTrouble(error)) return NO_ANSWER;
  return error instanceof ApiError ? refusalText(error) : "That did not work.";
}

function waitIn(error: unknown): number {
  return error instanceof ApiError ? Number(error.response.headers.get(RETRY_AFTER) ?? 0) : 0;
}
