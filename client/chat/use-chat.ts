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
import type { SessionMessage } from "#src/live/relay/schemas.ts";
import type { ViewerView } from "#src/people/sign-ins/schemas.ts";
import type { MessagesAnswer, MessageView } from "#src/play/chat/schemas.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import { type Api, ApiError } from "../base/api/api.ts";
import { randomId } from "../base/browser/random-id.ts";
import { listen, perform } from "../base/live/cable.ts";
import { estimateServerTime, serverNow } from "../base/live/clock.ts";
import { singleFlight } from "../base/live/single-flight.ts";
import { useApi, usePage } from "../base/page/context.ts";
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

/** The cable replies at once or not at all. After this time the message is sent by HTTP. */
const REPLY_TIMEOUT_MS = 4_000;
const NO_ANSWER = "No answer from the server. Sent again, it is still one message.";
const SECOND_MS = 1_000;

const listeners = new Set<() => void>();
/** What was written on this page, by key; the storage has what was written before it was loaded. */
const written = new Map<string, string>();

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

type MessageSender = {
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
function useSendMessage(sessionId: number, dispatch: Dispatch<ChatAction>): MessageSender {
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
  return error instanceof ApiError ? refusalText(error) : "That did not work.";
}

function retryAfterOf(error: unknown): number {
  return error instanceof ApiError ? error.retryAfterS : 0;
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
    subscribe,
    () => read(key) || first,
    () => first,
  );
  const write = useCallback((next: string) => store(key, next), [key]);
  return [body, write];
}

function read(key: string): string {
  const known = written.get(key);
  if (known !== undefined) return known;
  const stored = readStored(key);
  written.set(key, stored);
  return stored;
}

/** Without storage the text lasts as long as the page. */
function readStored(key: string): string {
  try {
    return sessionStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
}

function store(key: string, body: string): void {
  written.set(key, body);
  try {
    if (body === "") sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, body);
  } catch {
    // Storage is switched off or full.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
