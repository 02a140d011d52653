import { type MouseEvent, type ReactNode, useState } from "react";
import { Link } from "react-router";
import { Blank } from "../ui/blank.tsx";
import { countOf } from "../ui/count.ts";
import { Icon } from "../ui/icon.tsx";
import { DraftRow } from "./draft-row.tsx";
import { MessageRow } from "./message-row.tsx";
import type { Draft, Talk } from "./talk.ts";
import { useUnseen } from "./use-unseen.ts";

/** So near to its top, in pixels, older messages are fetched. */
const NEAR_TOP_PX = 120;

type LogProps = {
  talk: Talk;
  /** It shows earlier messages alone. */
  earlier: boolean;
  admin: boolean;
  loadOlder: () => Promise<void>;
  onSayAgain: (draft: Draft) => void;
  onEdit: (draft: Draft) => void;
};

/**
 * The messages, the newest at the bottom, where the list stays unless the reader has scrolled up. It is written from the
 * bottom up (column-reverse), so that it stands at its end before and without script too.
 */
export function Log({ talk, earlier, admin, loadOlder, onSayAgain, onEdit }: LogProps) {
  const { messages, drafts, before, viewerId } = talk;
  const { frame, unseen, look, toEnd } = useUnseen(talk);
  const [loading, setLoading] = useState(false);
  const older = async () => {
    if (loading) return;
    setLoading(true);
    await loadOlder().finally(() => setLoading(false));
  };
  const onScroll = () => {
    look();
    if (before !== null && !earlier && distanceToTop(frame.current) < NEAR_TOP_PX) void older();
  };
  return (
    <div className="chat-log">
      <div
        className="chat-lines"
        ref={frame}
        role="log"
        // Older ones are no news.
        aria-live={loading ? "off" : "polite"}
        aria-label="Messages"
        tabIndex={0}
        onScroll={onScroll}
      >
        <ol>
          {before === null ? null : (
            <Older before={before} loading={loading} onAsk={earlier ? null : older} />
          )}
          {messages.map((message) => (
            <MessageRow key={message.id} message={message} mine={message.userId === viewerId} admin={admin} />
          ))}
          {drafts.map((draft) => (
            <DraftRow key={draft.clientId} draft={draft} onSayAgain={onSayAgain} onEdit={onEdit} />
          ))}
          {earlier ? <Newest /> : null}
        </ol>
        {messages.length === 0 && drafts.length === 0 ? <Silence /> : null}
      </div>
      {unseen === 0 ? null : (
        <button className="btn sm primary chat-unseen" type="button" onClick={toEnd}>
          <Icon name="down" size="s" />
          {countOf(unseen, "new message")}
        </button>
      )}
    </div>
  );
}

function distanceToTop(frame: HTMLElement | null): number {
  return frame === null ? Infinity : frame.scrollHeight - frame.clientHeight + frame.scrollTop;
}

type OlderProps = { before: number; loading: boolean; onAsk: (() => Promise<void>) | null };

/** Leads to the messages before; with script they come to this page. */
function Older({ before, loading, onAsk }: OlderProps) {
  const ask = (event: MouseEvent) => {
    if (onAsk === null) return;
    event.preventDefault();
    void onAsk();
  };
  return (
    <Aside>
      <Link className="btn sm ghost" to={`?before=${before}`} onClick={ask} aria-busy={loading}>
        {loading ? "Loading..." : "Older messages"}
      </Link>
    </Aside>
  );
}

function Newest() {
  return (
    <Aside>
      <Link className="btn sm ghost" to="?">
        Newest messages
      </Link>
    </Aside>
  );
}

function Aside({ children }: { children: ReactNode }) {
  return <li className="chat-aside">{children}</li>;
}

function Silence() {
  return (
    <Blank icon="info" title="Nobody has said anything yet">
      <p>What you write here, everybody with an account reads at once.</p>
    </Blank>
  );
}
