import { type Dispatch, useCallback, useEffect, useReducer, useRef } from "react";
import { useRevalidator } from "react-router";
import type { MessagesAnswer } from "#src/chat/schemas.ts";
import { type Api, ApiError } from "../api.ts";
import { guessServerTime } from "../clock.ts";
import { useApi } from "../context.ts";
import { oneAtATime } from "../one-at-a-time.ts";
import { isTrouble } from "../refused.ts";
import { changeTalk, layTalk, type Talk, type TalkChange } from "./talk.ts";

type Asking = { viewerId: number; slug: string; answer: MessagesAnswer };

export type KnownTalk = {
  talk: Talk;
  change: Dispatch<TalkChange>;
  /** Asks for what was said before. Resolves when it is there, or cannot be had now. */
  loadOlder: () => Promise<void>;
  /** Looks at the newest messages again, after some may have been missed. */
  lookAgain: () => void;
};

/** A session's chat as loaded, and as it changes. */
export function useTalk({ viewerId, slug, answer }: Asking): KnownTalk {
  const [talk, change] = useReducer(changeTalk, { viewerId, answer }, layTalk);
  useEffect(() => {
    guessServerTime(answer.meta.serverTime);
    change({ kind: "looked", answer });
  }, [answer]);
  const lookAgain = useLookAgain(slug, change);
  const loadOlder = useOlder(slug, talk.before, change);
  return { talk, change, loadOlder, lookAgain };
}

/** What is known stays while the server is away; the look is tried until it succeeds. */
function useLookAgain(slug: string, change: Dispatch<TalkChange>): () => void {
  const api = useApi();
  const { revalidate } = useRevalidator();
  const look = useRef<(() => void) | null>(null);
  const loadAnew = useRef(revalidate);
  useEffect(() => {
    loadAnew.current = revalidate;
  });
  useEffect(() => {
    const gone = new AbortController();
    look.current = oneAtATime(gone.signal, async () => {
      try {
        const answer = await ask(api, { sessionId: slug }, gone.signal);
        if (!gone.signal.aborted) change({ kind: "looked", answer });
      } catch (error) {
        if (isTrouble(error) || !(error instanceof ApiError)) throw error;
        // Signed out or deleted meanwhile: the router knows what to do.
        await loadAnew.current();
      }
    });
    return () => gone.abort();
  }, [api, slug, change]);
  return useCallback(() => look.current?.(), []);
}

function useOlder(slug: string, before: number | null, change: Dispatch<TalkChange>): () => Promise<void> {
  const api = useApi();
  const asked = useRef<number | null>(null);
  return useCallback(async () => {
    if (before === null || asked.current === before) return;
    asked.current = before;
    try {
      change({ kind: "older", answer: await ask(api, { sessionId: slug, before }) });
    } catch (error) {
      if (!(error instanceof ApiError) && !isTrouble(error)) throw error;
    } finally {
      asked.current = null;
    }
  }, [api, slug, before, change]);
}

function ask(api: Api, query: { sessionId: string; before?: number }, signal?: AbortSignal) {
  return api.get("/api/v1/messages", { query, ...(signal === undefined ? {} : { signal }) });
}
