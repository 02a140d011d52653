import {
  type FormEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { Form, Link } from "react-router";
import { countOf } from "#client/base/format/count.ts";
import * as words from "#client/base/format/words.ts";
import { say } from "#src/http/contract.ts";
import { MUTE_REASON_LENGTH_MAX } from "#src/play/chat/contract.ts";
import type { MessageView } from "#src/play/chat/schemas.ts";
import { useViewer } from "../base/page/context.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Choice } from "../ui/choice.tsx";
import { CsrfField } from "../ui/csrf-field.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Field } from "../ui/field.tsx";
import { Icon } from "../ui/icon.tsx";
import { Submit } from "../ui/submit.tsx";
import { Moment } from "../ui/time.tsx";
import { useIsAdmin } from "../ui/use-is-admin.ts";
import type { ChatState, Draft } from "./chat-state.ts";

const minutes = [
  { value: "1", label: "1 minute" },
  { value: "5", label: "5 minutes" },
  { value: "15", label: "15 minutes" },
  { value: "60", label: "1 hour" },
  { value: "1440", label: "1 day" },
];

/** A reader who is at most this many pixels from the end follows the chat. */
const AT_END_PX = 48;

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
        aria-label="Messages"
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
          <span>{countOf(unreadCount, "new message")}</span>
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
        {loading ? words.loading : "Older messages"}
      </Link>
    </Aside>
  );
}

function NewestLink() {
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

function NoMessages() {
  return (
    <EmptyState icon="info" title="Nobody has said anything yet">
      <p>What you write here, everybody with an account reads at once.</p>
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
            {mine ? say`${username} (you)` : username}
          </b>{" "}
          <span className="tiny muted nowrap">
            <Moment at={createdAt} />
          </span>
        </p>
        {deletedAt === null ? <p className="said-text">{body}</p> : <p className="muted">Removed</p>}
        {approval && deletedAt === null && (mine || admin) ? (
          <Approval message={message} mine={mine} />
        ) : null}
        {admin && deletedAt === null ? <ManageMessage message={message} mine={mine} /> : null}
      </div>
    </li>
  );
}

type DraftRowProps = {
  draft: Draft;
  onResend: (draft: Draft) => void;
  onEdit: (draft: Draft) => void;
};

/** A message on its way, or one that failed: it stays until the viewer sends it again or edits it. */
function DraftRow({ draft, onResend, onEdit }: DraftRowProps) {
  const viewer = useViewer();
  const { body, failure } = draft;
  return (
    <li className="said own" aria-busy={failure === null}>
      <Avatar name={viewer?.username ?? ""} avatar={viewer?.avatar ?? null} />
      <div className="said-by">
        <p className="said-text">{body}</p>
        {failure === null ? (
          <p className="tiny muted">Sending...</p>
        ) : (
          <>
            <p className="small failed">
              <Icon name="warning" size="s" />
              <span>{`Not sent. ${failure}`}</span>
            </p>
            <p className="row">
              <button className="btn sm" type="button" onClick={() => onResend(draft)}>
                {words.tryAgain}
              </button>
              <button className="btn sm ghost" type="button" onClick={() => onEdit(draft)}>
                {words.edit}
              </button>
            </p>
          </>
        )}
      </div>
    </li>
  );
}

type UnreadBelow = {
  /** For the element that scrolls. Its content is laid out from the bottom up. */
  frame: RefObject<HTMLDivElement | null>;
  /** How many messages of others arrived below the visible part. */
  unreadCount: number;
  onScroll: () => void;
  scrollToEnd: () => void;
};

/**
 * Holds the scroll position of a reader who has scrolled up, and counts what arrives below. A reader at the end stays at the
 * end. The viewer's own new messages always scroll into view.
 */
function useUnreadBelow({ messages, drafts, viewerId }: ChatState): UnreadBelow {
  const frame = useRef<HTMLDivElement>(null);
  const [unreadCount, setUnreadCount] = useState(0);
  const rendered = useRef({
    lastId: messages.at(-1)?.id ?? 0,
    drafts: drafts.length,
    height: 0,
    atEnd: true,
  });

  const onScroll = useCallback(() => {
    const atEnd = (frame.current?.scrollTop ?? 0) > -AT_END_PX;
    rendered.current.atEnd = atEnd;
    if (atEnd) setUnreadCount(0);
  }, []);
  const scrollToEnd = useCallback(() => {
    if (frame.current !== null) frame.current.scrollTop = 0;
    rendered.current.atEnd = true;
    setUnreadCount(0);
  }, []);

  useLayoutEffect(() => {
    if (frame.current === null) return;
    const before = rendered.current;
    const arrived = messages.filter(({ id }) => id > before.lastId);
    const grownPx = frame.current.scrollHeight - before.height;
    rendered.current = {
      lastId: messages.at(-1)?.id ?? 0,
      drafts: drafts.length,
      height: frame.current.scrollHeight,
      atEnd: before.atEnd,
    };
    if (drafts.length > before.drafts) return scrollToEnd();
    if (before.atEnd || arrived.length === 0) return;
    // scrollTop counts from the end, so that what is added below moves the visible part.
    frame.current.scrollTop -= grownPx;
    const others = arrived.filter(({ userId }) => userId !== viewerId).length;
    if (others > 0) setUnreadCount((count) => count + others);
  }, [messages, drafts, viewerId, scrollToEnd]);
  return { frame, unreadCount, onScroll, scrollToEnd };
}

/** Whether a message is on the big screen: said to who wrote it, and to hosts, who let it there. */
function Approval({ message, mine }: { message: MessageView; mine: boolean }) {
  if (message.approvedAt !== null) return <p className="tiny muted">Shown on the big screen.</p>;
  if (mine) return <p className="tiny muted">Waits for a host before it is on the big screen.</p>;
  return (
    <Form method="post" preventScrollReset>
      <CsrfField />
      <input type="hidden" name="message_id" value={message.id} />
      <Submit className="btn sm" intent="approve">
        Show on the big screen
      </Submit>
    </Form>
  );
}

/** What hosts can do about a message, and admins about the name of who wrote it. Works without JavaScript. */
function ManageMessage({ message, mine }: { message: MessageView; mine: boolean }) {
  const isAdmin = useIsAdmin();
  return (
    <>
      {isAdmin && !mine ? <RemoveName message={message} /> : null}
      <RemoveOrMute message={message} mine={mine} />
    </>
  );
}

/** What cannot be undone is opened first, so that a mistaken tap does nothing. */
function RemoveOrMute({ message, mine }: { message: MessageView; mine: boolean }) {
  const { id, userId, username } = message;
  return (
    <details className="manage">
      <summary className="small">
        Manage <span className="vh">{`message of ${username}`}</span>
      </summary>
      <Form method="post" preventScrollReset onSubmit={close}>
        <CsrfField />
        <input type="hidden" name="message_id" value={id} />
        <Submit className="btn sm bad" intent="remove">
          Remove message
        </Submit>
      </Form>
      {mine ? null : (
        <Form method="post" className="mute" preventScrollReset onSubmit={close}>
          <CsrfField />
          <input type="hidden" name="message_id" value={id} />
          <input type="hidden" name="user_id" value={userId} />
          <Choice
            label={`Mute ${username} for`}
            name="minutes"
            id={`minutes-${id}`}
            options={minutes}
            value="15"
          />
          <Field label={words.reason} name="reason" id={`reason-${id}`} maxLength={MUTE_REASON_LENGTH_MAX} />
          <Submit className="btn sm" intent="mute">
            Mute
          </Submit>
        </Form>
      )}
    </details>
  );
}

/** Takes the name, face and picture of who wrote a message away: one click, because name and face come back by the next. A neutral name has no button. */
function RemoveName({ message: { userId, username } }: { message: MessageView }) {
  if (username === `guest_${userId}`) return null;
  return (
    <Form method="post" className="take-name" preventScrollReset>
      <CsrfField />
      <input type="hidden" name="user_id" value={userId} />
      <Submit className="small" intent="remove_name">
        Take name away <span className="vh">{`from ${username}`}</span>
      </Submit>
    </Form>
  );
}

/** The form was sent. */
function close({ currentTarget }: FormEvent<HTMLFormElement>): void {
  currentTarget.closest("details")?.removeAttribute("open");
}
