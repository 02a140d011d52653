import { useEffect, useState } from "react";
import { type Api, endingWith } from "#client/base/api/api.ts";
import { countOf } from "#client/base/format/count.ts";
import * as shared from "#client/base/format/words.ts";
import { estimateServerTime } from "#client/base/live/clock.ts";
import { useSingleFlight } from "#client/base/live/single-flight.ts";
import { useSessionMessages } from "#client/base/live/use-session-messages.ts";
import { useApi } from "#client/base/page/context.ts";
import { UnreadMark, useUnread } from "#client/chat/unread.tsx";
import { type ActionState, initialActionState, reduceActionState } from "#client/events/action-state.ts";
import { sessionPath } from "#client/sessions/load-session.ts";
import { EVENTS_SHOWN } from "#src/show/sessions/pages/contract.ts";
import { useLiveWords } from "./live-line.tsx";
import { openSheet, useOpenSheet } from "./sheet-history.ts";
import { openLeaders, Sheets } from "./sheets.tsx";

/** A screen reader announces new messages at most this often. */
const ANNOUNCED_EVERY_MS = 60_000;

/** What a live session has beside its card; see use-phone-parts.ts. */
export const phoneParts = { ChatButton, LiveState, openLeaders, Sheets };

/** Opens the chat on a phone, with the number of messages that came since it was closed. */
function ChatButton() {
  const open = useOpenSheet() === "chat";
  const unread = useUnread({ reading: open });
  return (
    <>
      <button
        className="btn bare sq chat-button"
        type="button"
        aria-haspopup="dialog"
        onClick={() => openSheet("chat")}
      >
        <ChatIcon />
        <span className="vh">{shared.chat} </span>
        <UnreadMark count={unread} />
      </button>
      <UnreadNews count={unread} />
    </>
  );
}

/** Announces the first new message politely, and then the number of new ones from time to time. */
function UnreadNews({ count }: { count: number }) {
  const [announced, setAnnounced] = useState({ count: 0, atMs: -Infinity });
  useEffect(() => {
    if (count === 0) return;
    const waitMs = announced.atMs + ANNOUNCED_EVERY_MS - performance.now();
    const announce = () => setAnnounced({ count, atMs: performance.now() });
    if (count === announced.count) return;
    const timer = setTimeout(announce, Math.max(0, waitMs));
    return () => clearTimeout(timer);
  }, [count, announced]);
  return (
    <p className="vh" role="status">
      {count === 0 || announced.count === 0 ? "" : `${countOf(announced.count, "new message")} in the chat.`}
    </p>
  );
}

function ChatIcon() {
  return (
    <svg className="icon line" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M4 5h16v11H11l-5 4v-4H4z" />
    </svg>
  );
}

type Live = { id: number; slug: string };

/** How the live game stands, on other pages: "Live: closes in 0:12", and its question. */
function LiveState({ id, slug }: Live) {
  const state = useLiveState({ id, slug });
  return state === null ? <b>Live</b> : <Words state={state} />;
}

function Words({ state }: { state: ActionState }) {
  const { title, words } = useLiveWords(state, state.asOf);
  return (
    <>
      {/* One line each: the bar keeps its height, and the page below it its place. */}
      <span className="small num clip">{`Live: ${words.charAt(0).toLowerCase()}${words.slice(1)}`}</span>
      <b className="clip">{title}</b>
    </>
  );
}

/** The session and its events, as the cable reports them; null until they have arrived. */
function useLiveState({ id, slug }: Live): ActionState | null {
  const api = useApi();
  const [state, setState] = useState<ActionState | null>(null);
  // The messages may say more than an answer that was sent before them: the reducer keeps the newer of both.
  const refetch = useSingleFlight(async (signal) => {
    const loaded = await fetchState(endingWith(signal, api), slug);
    if (signal.aborted) return;
    setState((known) =>
      known === null ? loaded : reduceActionState(known, { kind: "snapshot", snapshot: loaded }),
    );
  }, slug);
  useSessionMessages(id, {
    connected: refetch,
    missed: refetch,
    received: (message) => {
      if (message.sourceType !== "Event" && message.sourceType !== "Session") return;
      setState((known) => (known === null ? null : reduceActionState(known, { kind: "message", message })));
    },
  });
  useEffect(refetch, [slug, refetch]);
  return state;
}

async function fetchState(api: Api, slug: string): Promise<ActionState> {
  const path = sessionPath(slug);
  const [{ session }, { events, meta }] = await Promise.all([
    api.get(path),
    api.get(`${path}/events`, { query: { perPage: EVENTS_SHOWN } }),
  ]);
  estimateServerTime(meta.serverTime);
  return initialActionState({
    session,
    events,
    nextSession: null,
    leaders: [],
    me: null,
    playersCount: 0,
    asOf: meta.serverTime,
  });
}
