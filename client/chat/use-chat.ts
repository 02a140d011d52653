import { type Dispatch, useCallback, useEffect, useReducer, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import type { SessionMessage } from "#src/live/relay/schemas.ts";
import type { ViewerView } from "#src/people/sign-ins/schemas.ts";
import type { MessagesAnswer } from "#src/play/chat/schemas.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import { type Api, ApiError } from "../base/api/api.ts";
import { listen } from "../base/live/cable.ts";
import { estimateServerTime } from "../base/live/clock.ts";
import { singleFlight } from "../base/live/single-flight.ts";
import { useApi, usePage } from "../base/page/context.ts";
import { isTrouble } from "../ui/forms/refused.ts";
import { rolesIn } from "../ui/navigation.ts";
import { type ChatAction, chatReducer, type ChatState, createChatState, type Draft } from "./chat-state.ts";
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

type LoadedChat = { viewerId: number; slug: string; answer: MessagesAnswer };

type LiveChatState = {
  state: ChatState;
  dispatch: Dispatch<ChatAction>;
  /** Fetches the messages before those known. Resolves when they are added or cannot be fetched now. */
  loadOlder: () => Promise<void>;
  /** Fetches the newest messages, after some may have been missed. */
  refetch: () => void;
};

/** A session's chat, from the loaded messages on. */
function useChatState({ viewerId, slug, answer }: LoadedChat): LiveChatState {
  const [state, dispatch] = useReducer(chatReducer, { viewerId, answer }, createChatState);
  useEffect(() => {
    estimateServerTime(answer.meta.serverTime);
    dispatch({ kind: "newestFetched", answer });
  }, [answer]);
  const refetch = useRefetch(slug, dispatch);
  const loadOlder = useLoadOlder(slug, state.before, dispatch);
  return { state, dispatch, loadOlder, refetch };
}

/** While the server is away the known messages stay, and the request is repeated until it succeeds. */
function useRefetch(slug: string, dispatch: Dispatch<ChatAction>): () => void {
  const api = useApi();
  const { revalidate } = useRevalidator();
  const refetch = useRef<(() => void) | null>(null);
  const latestRevalidate = useRef(revalidate);
  useEffect(() => {
    latestRevalidate.current = revalidate;
  });
  useEffect(() => {
    const unmounted = new AbortController();
    const { signal } = unmounted;
    refetch.current = singleFlight(signal, async () => {
      try {
        const answer = await fetchMessages(api, { sessionId: slug }, signal);
        if (!signal.aborted) dispatch({ kind: "newestFetched", answer });
      } catch (error) {
        if (isTrouble(error) || !(error instanceof ApiError)) throw error;
        // Signed out, or the session was deleted: the router shows what to do.
        await latestRevalidate.current();
      }
    });
    return () => unmounted.abort();
  }, [api, slug, dispatch]);
  return useCallback(() => refetch.current?.(), []);
}

function useLoadOlder(
  slug: string,
  before: number | null,
  dispatch: Dispatch<ChatAction>,
): () => Promise<void> {
  const api = useApi();
  const loading = useRef<number | null>(null);
  return useCallback(async () => {
    if (before === null || loading.current === before) return;
    loading.current = before;
    try {
      dispatch({ kind: "olderFetched", answer: await fetchMessages(api, { sessionId: slug, before }) });
    } catch (error) {
      if (!(error instanceof ApiError) && !isTrouble(error)) throw error;
    } finally {
      loading.current = null;
    }
  }, [api, slug, before, dispatch]);
}

function fetchMessages(api: Api, query: { sessionId: string; before?: number }, signal?: AbortSignal) {
  return api.get("/api/v1/messages", { query, ...(signal === undefined ? {} : { signal }) });
}
