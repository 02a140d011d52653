import {
  type Dispatch,
  useCallback,
  useEffect,
  useReducer,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { useRevalidator } from "react-router";
import { useSessionMessages } from "#client/base/live/use-session-messages.ts";
import type { SessionMessage } from "#src/live/relay/schemas.ts";
import type { ViewerView } from "#src/people/sign-ins/schemas.ts";
import type { MessagesAnswer } from "#src/play/chat/schemas.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import { type Api, ApiError } from "../base/api/api.ts";
import { randomId } from "../base/browser/random-id.ts";
import { readStored, store } from "../base/browser/storage.ts";
import { createSignal } from "../base/browser/store.ts";
import { estimateServerTime, serverNow } from "../base/live/clock.ts";
import { useSingleFlight } from "../base/live/single-flight.ts";
import { useApi } from "../base/page/context.ts";
import { isTrouble, refusalText } from "../ui/forms/refused.ts";
import { rolesIn } from "../ui/navigation.ts";
import { type ChatAction, chatReducer, type ChatState, createChatState, type Draft } from "./chat-state.ts";

type ChatOptions = {
  loaded: SessionView;
  viewer: ViewerView;
  answer: MessagesAnswer;
  /** False: the chat stays as it was loaded. */
  live: boolean;
  /** The field's first content. */
  firstBody: string;
};

const NO_ANSWER = "No answer from the server. Sent again, it is still one message.";

const changed = createSignal();
/** What was written on this page, by key; the storage has what was written before it was loaded. */
const written = new Map<string, string>();

/** @returns the session as it is now, and the props of `MessageList` and `Composer`. */
export function useChat({ loaded, viewer, answer, live, firstBody }: ChatOptions) {
  const { id, slug } = loaded;
  const { state, dispatch, loadOlder, refetch } = useChatState({ viewerId: viewer.id, slug, answer });
  const { session, receive } = useLiveSession(loaded);
  const sender = useSendMessage(id, dispatch);
  // Chat messages have their own stream without offsets, and the page's catch-up leaves them out: after each connect the newest are fetched.
  useSessionMessages(live ? id : null, {
    connected: refetch,
    missed: refetch,
    received: (message) => {
      if (message.sourceType === "Message" && message.eventType !== "refuse") {
        dispatch({ kind: "received", message: message.detail.message });
      }
      receive(message);
    },
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
  return useSingleFlight(async (signal) => {
    try {
      const answer = await fetchMessages(api, { sessionId: slug }, signal);
      if (!signal.aborted) dispatch({ kind: "newestFetched", answer });
    } catch (error) {
      if (isTrouble(error) || !(error instanceof ApiError)) throw error;
      // Signed out, or the session was deleted: the router shows what to do.
      await revalidate();
    }
  }, slug);
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

type MessageSender = {
  /** The server takes no message before this time, in milliseconds since 1970 by its clock; 0 where it has set none. */
  refusedUntilMs: number;
  send: (body: string) => void;
  /** Sends a failed draft again. If it had arrived after all, it is still one message. */
  resend: (draft: Draft) => void;
};

/** Sends messages to a session's chat. A message's client id is its Idempotency-Key. */
function useSendMessage(sessionId: number, dispatch: Dispatch<ChatAction>): MessageSender {
  const api = useApi();
  const [refusedUntilMs, setRefusedUntil] = useState(0);
  const resend = async ({ clientId, body }: Pick<Draft, "clientId" | "body">) => {
    dispatch({ kind: "sent", draft: { clientId, body, sentAtMs: serverNow(), failure: null } });
    try {
      const headers = { "idempotency-key": clientId };
      const { message } = await api.post("/api/v1/messages", { message: { sessionId, body } }, { headers });
      dispatch({ kind: "received", message });
    } catch (error) {
      const waitS = error instanceof ApiError ? error.retryAfterS : 0;
      if (waitS > 0) setRefusedUntil(serverNow() + waitS * 1_000);
      dispatch({ kind: "failed", clientId, failure: failureText(error) });
    }
  };
  return {
    refusedUntilMs,
    send: (body) => void resend({ clientId: randomId(), body }),
    resend: (draft) => void resend(draft),
  };
}

function failureText(error: unknown): string {
  if (isTrouble(error)) return NO_ANSWER;
  return error instanceof ApiError ? refusalText(error) : "That did not work.";
}

/**
 * The text in the field of a session's chat. It is its player's alone, and survives until it is sent: also when the chat is closed, or the page is loaded
 * again in this tab.
 * @param first what the field holds if nothing was written before.
 */
function useWritten(
  { viewerId, sessionId }: { viewerId: number; sessionId: number },
  first: string,
): [body: string, write: (body: string) => void] {
  const key = `chat:${sessionId}:${viewerId}`;
  const body = useSyncExternalStore(
    changed.listen,
    () => read(key) || first,
    () => first,
  );
  const write = useCallback((next: string) => keep(key, next), [key]);
  return [body, write];
}

function read(key: string): string {
  const known = written.get(key);
  if (known !== undefined) return known;
  // Without storage the text lasts as long as the page.
  const stored = readStored(key, "sessionStorage") ?? "";
  written.set(key, stored);
  return stored;
}

function keep(key: string, body: string): void {
  written.set(key, body);
  store(key, body || null, "sessionStorage");
  changed.tell();
}
