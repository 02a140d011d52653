import { useCallback, useEffect, useRef, useState } from "react";
import type { Api } from "#client/base/api/api.ts";
import * as words from "#client/base/format/words.ts";
import { listen } from "#client/base/live/cable.ts";
import { serverNow } from "#client/base/live/clock.ts";
import { singleFlight } from "#client/base/live/single-flight.ts";
import { usePolling } from "#client/base/live/use-polling.ts";
import { useApi, usePage } from "#client/base/page/context.ts";
import { Note } from "#client/ui/note.tsx";
import type { MessageView } from "#src/play/chat/schemas.ts";
import { useShow } from "../show-context.ts";
import * as texts from "../texts/health-texts.ts";
import { TakeNameAway } from "./find-players.tsx";

const chatForScreen = "Chat for the big screen";

const ASK_EVERY_MS = 15_000;
/** What nobody has let on the big screen for so long is of an earlier moment of the show: it waits no more. */
const WAITS_MS = 10 * 60_000;

/** The chat messages that wait for a host, the oldest first, and what asks for them again. Null where none is approved. */
export type Waiting = { messages: readonly MessageView[]; refetch: () => void } | null;

/** The chat messages that wait before they are on the big screen, where the session has them approved. */
export function useWaiting(): Waiting {
  const { session } = useShow();
  const { id, slug, state, settings } = session;
  const isAsked = settings.chatApproval && state !== "stopped";
  const { cableUrl } = usePage();
  const api = useApi();
  const [newest, setNewest] = useState<readonly MessageView[]>([]);
  const fetchNewest = useRef(() => {});
  const refetch = useCallback(() => fetchNewest.current(), []);
  useEffect(() => {
    if (!isAsked) return;
    const left = new AbortController();
    const { signal } = left;
    fetchNewest.current = singleFlight(signal, async () => {
      const { messages } = await api.get("/api/v1/messages", { query: { sessionId: slug }, signal });
      if (!signal.aborted) setNewest(messages);
    });
    refetch();
    const channel = { channel: "SessionsChannel", id: String(id), offset: null } as const;
    const stop = listen(cableUrl, channel, {
      connected: refetch,
      missed: refetch,
      received: ({ sourceType }) => {
        if (sourceType === "Message") refetch();
      },
    });
    return () => {
      left.abort();
      stop();
    };
  }, [api, cableUrl, id, slug, isAsked, refetch]);
  usePolling(refetch, { everyMs: ASK_EVERY_MS, enabled: isAsked, whenVisible: true });
  return isAsked ? { messages: newest.filter(waits), refetch } : null;
}

function waits({ approvedAt, deletedAt, createdAt }: MessageView): boolean {
  return approvedAt === null && deletedAt === null && Date.parse(createdAt) > serverNow() - WAITS_MS;
}

/** The chat messages that wait for a host before they are on the big screen: each is let there, or removed, by a click. */
export function Approvals({ waiting }: { waiting: Waiting }) {
  const api = useApi();
  const [failed, setFailed] = useState(false);
  if (waiting === null) return null;
  const { messages, refetch } = waiting;
  const act = (perform: (of: Api) => Promise<unknown>) => {
    perform(api)
      .then(
        () => setFailed(false),
        () => setFailed(true),
      )
      .finally(refetch);
  };
  return (
    <section className="panel approvals" aria-label={chatForScreen}>
      <header>
        <h2>{chatForScreen}</h2>
        <span className="push small ink2 num">{texts.waiting(messages.length)}</span>
      </header>
      {failed ? <Note tone="bad">{words.thatDidNotWork}</Note> : null}
      {messages.length === 0 ? null : (
        <ul>
          {messages.map((message) => (
            <WaitingRow key={message.id} message={message} act={act} refetch={refetch} />
          ))}
        </ul>
      )}
    </section>
  );
}

type RowProps = {
  message: MessageView;
  act: (perform: (of: Api) => Promise<unknown>) => void;
  refetch: () => void;
};

function WaitingRow({ message: { id, userId, username, body }, act, refetch }: RowProps) {
  return (
    <li>
      <p className="wrap-anywhere">
        <b translate="no">{username}</b> <span className="said-text">{body}</span>
      </p>
      <p className="row wrap">
        <button
          className="btn sm primary"
          type="button"
          aria-label={`Show the message of ${username} on the big screen`}
          onClick={() => act((api) => api.put(`/api/v1/messages/${id}/approve`))}
        >
          {words.show}
        </button>
        <button
          className="btn sm bad"
          type="button"
          aria-label={`Remove the message of ${username}`}
          onClick={() => act((api) => api.delete(`/api/v1/messages/${id}`))}
        >
          {words.remove}
        </button>
        <TakeNameAway user={{ id: userId, username }} onDone={refetch} />
      </p>
    </li>
  );
}
