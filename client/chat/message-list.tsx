import { type MouseEvent, type ReactNode, useState } from "react";
import { Link } from "react-router";
import type { MessageView } from "#src/play/chat/schemas.ts";
import { Avatar } from "../ui/avatar.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Icon } from "../ui/icon.tsx";
import { Moment } from "../ui/time.tsx";
import type { ChatState, Draft } from "./chat-state.ts";
import * as texts from "./chat-texts.ts";
import { DraftRow } from "./draft-row.tsx";
import { Approval, ManageMessage } from "./manage-message.tsx";
import { useUnreadBelow } from "./use-unread-below.ts";

/** This close to the top, in pixels, older messages are fetched. */
const NEAR_TOP_PX = 120;

type MessageListProps = {
  state: ChatState;
  /** The big screen shows a message once a host has let it. */
  approval: boolean;
  /** Only older messages are shown, see `ChatData`. */
  earlier: boolean;
  admin: boolean;
  loadOlder: () => Promise<void>;
  onResend: (draft: Draft) => void;
  onEdit: (draft: Draft) => void;
};

/**
 * The messages, the newest at the bottom. The list stays scrolled to its end unless the reader has scrolled up. It is laid out
 * from the bottom up (column-reverse), so that this also holds before the script runs, and without JavaScript.
 */
export function MessageList({ state, earlier, loadOlder, onResend, onEdit, ...shown }: MessageListProps) {
  const { messages, drafts, before, viewerId } = state;
  const { frame, unreadCount, onScroll, scrollToEnd } = useUnreadBelow(state);
  const [loading, setLoading] = useState(false);
  const older = async () => {
    if (loading) return;
    setLoading(true);
    await loadOlder().finally(() => setLoading(false));
  };
  const scrolled = () => {
    onScroll();
    if (before !== null && !earlier && distanceToTop(frame.current) < NEAR_TOP_PX) void older();
  };
  return (
    <div className="chat-log">
      <div
        className="chat-lines"
        ref={frame}
        role="log"
        // Older messages are not announced.
        aria-live={loading ? "off" : "polite"}
        aria-label={texts.messages}
        tabIndex={0}
        onScroll={scrolled}
      >
        <ol>
          {before === null ? null : (
            <OlderLink before={before} loading={loading} onLoad={earlier ? null : older} />
          )}
          {messages.map((message) => (
            <MessageRow key={message.id} message={message} mine={message.userId === viewerId} {...shown} />
          ))}
          {drafts.map((draft) => (
            <DraftRow key={draft.clientId} draft={draft} onResend={onResend} onEdit={onEdit} />
          ))}
          {earlier ? <NewestLink /> : null}
        </ol>
        {messages.length === 0 && drafts.length === 0 ? <NoMessages /> : null}
      </div>
      {unreadCount === 0 ? null : (
        <button className="btn sm primary chat-unseen" type="button" onClick={scrollToEnd}>
          <Icon name="down" size="s" />
          <span>{texts.newMessages(unreadCount)}</span>
        </button>
      )}
    </div>
  );
}

function distanceToTop(frame: HTMLElement | null): number {
  return frame === null ? Infinity : frame.scrollHeight - frame.clientHeight + frame.scrollTop;
}

type OlderLinkProps = { before: number; loading: boolean; onLoad: (() => Promise<void>) | null };

/** Opens the older messages. With JavaScript they are added to this page. */
function OlderLink({ before, loading, onLoad }: OlderLinkProps) {
  const load = (event: MouseEvent) => {
    if (onLoad === null) return;
    event.preventDefault();
    void onLoad();
  };
  return (
    <Aside>
      <Link className="btn sm ghost" to={`?before=${before}`} onClick={load} aria-busy={loading}>
        {loading ? texts.loading : texts.olderMessages}
      </Link>
    </Aside>
  );
}

function NewestLink() {
  return (
    <Aside>
      <Link className="btn sm ghost" to="?">
        {texts.newestMessages}
      </Link>
    </Aside>
  );
}

function Aside({ children }: { children: ReactNode }) {
  return <li className="chat-aside">{children}</li>;
}

function NoMessages() {
  return (
    <EmptyState icon="info" title={texts.emptyTitle}>
      <p>{texts.emptyHint}</p>
    </EmptyState>
  );
}

type MessageRowProps = { message: MessageView; mine: boolean; admin: boolean; approval: boolean };

/** One message. A removed one is shown as "Removed". */
function MessageRow({ message, mine, admin, approval }: MessageRowProps) {
  const { username, avatar, body, createdAt, deletedAt } = message;
  return (
    <li className={mine ? "said own" : "said"}>
      <Avatar name={username} avatar={avatar} />
      <div className="said-by">
        <p className="small">
          <b className="wrap-anywhere" translate="no">
            {mine ? texts.ownName(username) : username}
          </b>{" "}
          <span className="tiny muted nowrap">
            <Moment at={createdAt} />
          </span>
        </p>
        {deletedAt === null ? <p className="said-text">{body}</p> : <p className="muted">{texts.removed}</p>}
        {approval && deletedAt === null && (mine || admin) ? (
          <Approval message={message} mine={mine} />
        ) : null}
        {admin && deletedAt === null ? <ManageMessage message={message} mine={mine} /> : null}
      </div>
    </li>
  );
}
