import { useEffect, useState } from "react";
import { UnreadMark, useUnread } from "#client/chat/unread.tsx";
import { chatTexts } from "./phone-texts.ts";
import { openSheet, useOpenSheet } from "./sheet-history.ts";

/** A screen reader announces new messages at most this often. */
const ANNOUNCED_EVERY_MS = 60_000;

/** Opens the chat on a phone, with the number of messages that came since it was closed. */
export function ChatButton() {
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
        <span className="vh">{chatTexts.title} </span>
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
      {count === 0 || announced.count === 0 ? "" : chatTexts.unreadNews(announced.count)}
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
