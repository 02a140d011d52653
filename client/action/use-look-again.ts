import { useCallback, useEffect, useRef } from "react";
import { useRevalidator } from "react-router";
import type { SessionView } from "#src/sessions/schemas.ts";
import { type Api, ApiError } from "../api.ts";
import { useApi, useViewer } from "../context.ts";
import { oneAtATime } from "../one-at-a-time.ts";
import { sessionPath } from "../sessions/load-session.ts";
import { useWallet } from "../wallet/wallet-state.tsx";
import { type Looked, lookUp } from "./load-action.ts";

const UNAUTHENTICATED = 401;
const NOT_FOUND = 404;
const SERVER_ERROR = 500;

/**
 * Looks the session and the wallet up again. It is not the router's reload: that would put an error page in the place of the
 * game while the server is away for a moment. Here what is known stays, and the look is tried until it succeeds.
 * @param over is called when somebody who only watches may not any more: the session has stopped.
 * @returns asks for a look; one that is under way is followed by one more, however often it is asked for.
 */
export function useLookAgain(
  slug: string,
  take: (looked: Looked, session: SessionView) => void,
  over: () => void,
): () => void {
  const api = useApi();
  const viewerId = useViewer()?.id ?? null;
  const { takeWallet } = useWallet();
  const { revalidate } = useRevalidator();
  const latest = useRef({ take, over, takeWallet, revalidate });
  useEffect(() => {
    latest.current = { take, over, takeWallet, revalidate };
  });
  const look = useRef<(() => void) | null>(null);
  useEffect(() => {
    const gone = new AbortController();
    look.current = oneAtATime(gone.signal, async () => {
      try {
        const found = await lookAll(api, { slug, viewerId }, gone.signal);
        if (gone.signal.aborted) return;
        latest.current.take(found.looked, found.session);
        if (found.wallet !== null) latest.current.takeWallet(found.wallet);
      } catch (error) {
        if (!(error instanceof ApiError) || error.status >= SERVER_ERROR) throw error;
        // Whoever only watches may do so while the session is live.
        if (viewerId === null && error.status === UNAUTHENTICATED) return latest.current.over();
        // Signed out or deleted meanwhile: the router knows the way to the sign-in page, and what to say of what is not
        // there. Other refusals stand.
        if (error.status === UNAUTHENTICATED || error.status === NOT_FOUND) await latest.current.revalidate();
      }
    });
    return () => gone.abort();
  }, [api, slug, viewerId]);
  return useCallback(() => look.current?.(), []);
}

type Whose = { slug: string; viewerId: number | null };

async function lookAll(api: Api, { slug, viewerId }: Whose, signal: AbortSignal) {
  const [looked, { session }, wallet] = await Promise.all([
    lookUp(api, { slug, watching: viewerId === null }, signal),
    api.get(sessionPath(slug), { signal }),
    viewerId === null ? null : api.get(`/api/v1/users/${viewerId}/wallet`, { signal }),
  ]);
  return { looked, session, wallet: wallet?.wallet ?? null };
}
