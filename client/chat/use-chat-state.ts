import { type Dispatch, useCallback, useEffect, useReducer, useRef } from "react";
import { useRevalidator } from "react-router";
import type { MessagesAnswer } from "#src/play/chat/schemas.ts";
import { type Api, ApiError } from "../base/api/api.ts";
import { estimateServerTime } from "../base/live/clock.ts";
import { singleFlight } from "../base/live/single-flight.ts";
import { useApi } from "../base/page/context.ts";
import { isTrouble } from "../ui/forms/refused.ts";
import { type ChatAction, chatReducer, type ChatState, createChatState } from "./chat-state.ts";

type LoadedChat = { viewerId: number; slug: string; answer: MessagesAnswer };

export type LiveChatState = {
  state: ChatState;
  dispatch: Dispatch<ChatAction>;
  /** Fetches the messages before those known. Resolves when they are added or cannot be fetched now. */
  loadOlder: () => Promise<void>;
  /** Fetches the newest messages, after some may have been missed. */
  refetch: () => void;
};

/** A session's chat, from the loaded messages on. */
export function useChatState({ viewerId, slug, answer }: LoadedChat): LiveChatState {
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
