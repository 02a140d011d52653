import { useCallback, useEffect, useRef } from "react";
import { useRevalidator } from "react-router";
import type { EventView } from "#src/events/schemas.ts";
import { type Api, ApiError } from "../api.ts";
import { useApi } from "../context.ts";
import { oneAtATime } from "../one-at-a-time.ts";
import { sessionPath } from "../sessions/load-session.ts";
import type { Seen } from "./board.ts";
import { lookUpAudit, lookUpShow } from "./load-show.ts";

const SERVER_ERROR = 500;
const BETWEEN_LOOKS_MS = 250;
/** Not all that others do is told over the cable: what nobody but us may see is found out so often. */
const ASK_EVERY_MS = 3_000;
/** While a crowd is being paid the page shows how far that is. */
const WATCH_PAYING_EVERY_MS = 1_500;

/**
 * Looks the show up again, and goes on trying where the server is away: what is known stays meanwhile.
 * @returns asks for a look; one that is under way is followed by one more, however often it is asked for.
 */
export function useLook(slug: string, take: (seen: Seen) => void): () => void {
  const api = useApi();
  const { revalidate } = useRevalidator();
  const latest = useRef({ take, revalidate });
  useEffect(() => {
    latest.current = { take, revalidate };
  });
  const look = useRef<(() => void) | null>(null);
  useEffect(() => {
    const gone = new AbortController();
    look.current = oneAtATime(gone.signal, async () => {
      try {
        const seen = await lookAll(api, slug, gone.signal);
        if (!gone.signal.aborted) latest.current.take(seen);
        // Where much happens at once, one look sees it all.
        await new Promise((resolve) => setTimeout(resolve, BETWEEN_LOOKS_MS));
      } catch (error) {
        if (!(error instanceof ApiError) || error.status >= SERVER_ERROR) throw error;
        // Signed out, no admin any more, or the session is gone: the router knows what to show instead.
        await latest.current.revalidate();
      }
    });
    return () => gone.abort();
  }, [api, slug]);
  return useCallback(() => look.current?.(), []);
}

async function lookAll(api: Api, slug: string, signal: AbortSignal): Promise<Seen> {
  const [{ events, audit, serverTime }, { session }] = await Promise.all([
    lookUpShow(api, slug, signal),
    api.get(sessionPath(slug), { signal }),
  ]);
  return { session, events, audit, seenAt: serverTime };
}

/** Asks for a look where the audit has a line that this page has not seen. */
export function useAuditWatch(slug: string, newestId: number | null, lookAgain: () => void): void {
  const api = useApi();
  useEffect(() => {
    const gone = new AbortController();
    const ask = async () => {
      if (document.visibilityState !== "visible") return;
      const [newest] = await lookUpAudit(api, slug, { count: 1, signal: gone.signal });
      if (newest !== undefined && newest.id !== newestId) lookAgain();
    };
    // Without an answer there is nothing to see: the next one comes.
    const timer = setInterval(() => void ask().catch(() => undefined), ASK_EVERY_MS);
    return () => {
      gone.abort();
      clearInterval(timer);
    };
  }, [api, slug, newestId, lookAgain]);
}

/** Looks again and again while one of these events is being paid. */
export function usePayingWatch(events: readonly EventView[], lookAgain: () => void): void {
  const isPaying = events.some(({ plan }) => plan?.paying != null);
  useEffect(() => {
    if (!isPaying) return undefined;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") lookAgain();
    }, WATCH_PAYING_EVERY_MS);
    return () => clearInterval(timer);
  }, [isPaying, lookAgain]);
}
