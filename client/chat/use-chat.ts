import { useCallback, useEffect, useRef, useState } from "react";
import type { SessionMessage } from "#src/live/relay/schemas.ts";
import type { ViewerView } from "#src/people/sign-ins/schemas.ts";
import type { MessagesAnswer } from "#src/play/chat/schemas.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import { listen } from "../base/live/cable.ts";
import { usePage } from "../base/page/context.ts";
import { rolesIn } from "../ui/navigation.ts";
import type { Draft } from "./chat-state.ts";
import { useChatState } from "./use-chat-state.ts";
import { useSendMessage } from "./use-send-message.ts";
import { useWritten } from "./use-written.ts";

type ChatOptions = {
  loaded: SessionView;
  viewer: ViewerView;
  answer: MessagesAnswer;
  /** False: the chat stays as it was loaded. */
  live: boolean;
  /** The field's first content. */
  firstBody: string;
};

/** @returns the session as it is now, and the props of `MessageList` and `Composer`. */
export function useChat({ loaded, viewer, answer, live, firstBody }: ChatOptions) {
  const { id, slug } = loaded;
  const { state, dispatch, loadOlder, refetch } = useChatState({ viewerId: viewer.id, slug, answer });
  const { session, receive } = useLiveSession(loaded);
  const sender = useSendMessage(id, dispatch);
  useSessionMessages({ sessionId: id, live, refetch }, (message) => {
    if (message.sourceType === "Message" && message.eventType !== "refuse") {
      dispatch({ kind: "received", message: message.detail.message });
    }
    receive(message);
    sender.receive(message);
  });
  const [body, setBody] = useWritten({ viewerId: viewer.id, sessionId: id }, firstBody);
  const field = useRef<HTMLTextAreaElement>(null);
  const edit = (draft: Draft) => {
    dispatch({ kind: "discarded", clientId: draft.clientId });
    setBody(draft.body);
    field.current?.focus();
  };
  const { refusedUntilMs, send, resend } = sender;
  const slowModeSeconds = rolesIn(viewer, id).includes("admin") ? 0 : session.settings.slowModeSeconds;
  return {
    session,
    list: { state, approval: session.settings.chatApproval, loadOlder, onResend: resend, onEdit: edit },
    composer: { state, body, onBody: setBody, field, send, refusedUntilMs, slowModeSeconds },
  };
}

type Subscription = {
  sessionId: number;
  /** False: nothing is received. */
  live: boolean;
  /** Called after every connect, and when messages may have been missed. */
  refetch: () => void;
};

/**
 * Receives the session's messages from the cable. Chat messages have their own stream without offsets, and the page's catch-up
 * leaves them out: after each connect the chat fetches the newest messages instead.
 */
function useSessionMessages(
  { sessionId, live, refetch }: Subscription,
  onMessage: (message: SessionMessage) => void,
): void {
  const { cableUrl } = usePage();
  const latest = useRef(onMessage);
  useEffect(() => {
    latest.current = onMessage;
  });
  useEffect(() => {
    if (!live) return;
    return listen(
      cableUrl,
      { channel: "SessionsChannel", id: String(sessionId), offset: null },
      { connected: refetch, missed: refetch, received: (message) => latest.current(message) },
    );
  }, [cableUrl, sessionId, live, refetch]);
}

type Received = { session: SessionView | null; playersOnline: number | null };

/** The chat's session, updated by the cable: its slow mode and its number of players online. */
function useLiveSession(loaded: SessionView): {
  session: SessionView;
  receive: (message: SessionMessage) => void;
} {
  const [received, setReceived] = useState<Received>({ session: null, playersOnline: null });
  const receive = useCallback((message: SessionMessage) => {
    if (message.sourceType === "Presence") {
      const { playersOnline } = message.detail;
      setReceived((known) => ({ ...known, playersOnline }));
    }
    if (message.sourceType === "Session" && message.eventType !== "destroy") {
      const { session } = message.detail;
      setReceived({ session, playersOnline: session.playersOnline });
    }
  }, []);
  const newest = newer(loaded, received.session);
  return { session: { ...newest, playersOnline: received.playersOnline ?? newest.playersOnline }, receive };
}

function newer(loaded: SessionView, received: SessionView | null): SessionView {
  if (received === null || received.id !== loaded.id) return loaded;
  return received.version > loaded.version ? received : loaded;
}
