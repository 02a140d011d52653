import { useState } from "react";
import type { MessagesAnswer } from "#src/chat/schemas.ts";
import type { SessionView } from "#src/sessions/schemas.ts";
import type { ViewerView } from "#src/sign-ins/schemas.ts";
import { focusField } from "./composer.tsx";
import type { Draft } from "./talk.ts";
import { useChatSession } from "./use-chat-session.ts";
import { useSessionMessages } from "./use-session-messages.ts";
import { useSpeaking } from "./use-speaking.ts";
import { useTalk } from "./use-talk.ts";

type Asking = {
  loaded: SessionView;
  viewer: ViewerView;
  answer: MessagesAnswer;
  /** False: it stays as it was loaded. */
  live: boolean;
  /** What stands in the field at first. */
  said: string;
};

/** Everything that the pieces of a chat need: the session as it is now, what `Log` shows and what `Composer` sends. */
export function useChat({ loaded, viewer, answer, live, said }: Asking) {
  const { id, slug } = loaded;
  const { talk, change, loadOlder, lookAgain } = useTalk({ viewerId: viewer.id, slug, answer });
  const { session, hear } = useChatSession(loaded);
  const speaking = useSpeaking(id, change);
  useSessionMessages({ sessionId: id, live, lookAgain }, (message) => {
    if (message.sourceType === "Message" && message.eventType !== "refuse") {
      change({ kind: "heard", message: message.detail.message });
    }
    hear(message);
    speaking.hear(message);
  });
  const [body, setBody] = useState(said);
  const edit = (draft: Draft) => {
    change({ kind: "dropped", clientId: draft.clientId });
    setBody(draft.body);
    focusField();
  };
  const { refusedUntilMs, say, sayAgain } = speaking;
  const slowModeSeconds = viewer.roles.includes("admin") ? 0 : session.settings.slowModeSeconds;
  return {
    session,
    log: { talk, loadOlder, onSayAgain: sayAgain, onEdit: edit },
    writing: { talk, body, onBody: setBody, say, refusedUntilMs, slowModeSeconds },
  };
}
