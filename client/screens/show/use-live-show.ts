import { useCallback, useEffect } from "react";
import { useLoaderData, useRevalidator } from "react-router";
import { isDismissed } from "#client/base/live/connection.ts";
import { usePolling } from "#client/base/live/use-polling.ts";
import { useApi } from "#client/base/page/context.ts";
import { useOwnCalls } from "#client/calls/own-calls.ts";
import { useOwnMessagesMissed } from "#client/results/live-messages.tsx";
import { useLiveSession } from "#client/sessions/use-live-session.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import { fetchAudit, fetchShow, type ShowData } from "./load-show.ts";
import {
  initialShowState,
  needsRefetch,
  reduceShowState,
  type ShowSnapshot,
  type ShowState,
} from "./show-state.ts";

const BETWEEN_FETCHES_MS = 250;
/** The cable does not carry everything that others do, such as changes of drafts. The audit has it all, and is polled. */
const AUDIT_POLL_MS = 3_000;
/** While a large settlement is paid in parts the page shows its progress. */
const PAYING_POLL_MS = 1_500;

export type LiveShow = {
  state: ShowState;
  /** When the server rendered the page; until the page is hydrated all times are computed from it. */
  renderedAt: string;
  /** Fetches the show again. */
  refetch: () => void;
  /** Takes an event from the answer to an act of the viewer: what can be undone is seen as soon as that is known. */
  learn: (event: EventView) => void;
};

/** The show as loaded, kept live: whatever anybody changes in it is fetched as soon as a message or the audit mentions it. */
export function useLiveShow(): LiveShow {
  const data = useLoaderData<ShowData>();
  const { revalidate } = useRevalidator();
  const { session, state, dispatch, refetch } = useLiveSession({
    data,
    initialState: initialShowState,
    reduce: reduceShowState,
    snapshotOf,
    fetchData: fetchShow,
    // Where much happens at once, one fetch covers it all.
    onFetched: () => new Promise((resolve) => setTimeout(resolve, BETWEEN_FETCHES_MS)),
    // Signed out, no admin any more, or the session is deleted: the router knows what to show instead.
    onRefused: () => revalidate(),
    needsRefetch,
    subscribed: true,
  });
  const paying = state.events.some(({ plan }) => plan?.paying != null);
  // Who has a call on an event may not decide it: the admin may have placed one in another window.
  useOwnCalls(({ call }) => {
    if (call.sessionId === session.id) refetch();
  });
  useOwnMessagesMissed(refetch);
  usePolling(refetch, { everyMs: PAYING_POLL_MS, enabled: paying, whenVisible: true });
  useAuditPolling(session.slug, state.audit.at(0)?.id ?? null, refetch);
  const learn = useCallback((event: EventView) => dispatch({ kind: "acted", event }), [dispatch]);
  return { state, renderedAt: data.serverTime, refetch, learn };
}

function snapshotOf({ events, audit, serverTime }: ShowData, session: SessionView): ShowSnapshot {
  return { session, events, audit, fetchedAt: serverTime };
}

/** Fetches the show again when the audit has a newer line than this page. */
function useAuditPolling(slug: string, newestId: number | null, refetch: () => void): void {
  const api = useApi();
  useEffect(() => {
    const unmounted = new AbortController();
    const poll = async () => {
      if (isDismissed() || document.visibilityState !== "visible") return;
      const [newest] = await fetchAudit(api, slug, { count: 1, signal: unmounted.signal });
      if (newest !== undefined && newest.id !== newestId) refetch();
    };
    // A poll without an answer changes nothing; the next one follows.
    const timer = setInterval(() => void poll().catch(() => undefined), AUDIT_POLL_MS);
    return () => {
      unmounted.abort();
      clearInterval(timer);
    };
  }, [api, slug, newestId, refetch]);
}
