import { useEffect, useState } from "react";
import { useLocation } from "react-router";
import { countOf } from "#client/base/format/count.ts";
import { useSessionMessages } from "#client/base/live/use-session-messages.ts";
import { useViewer } from "../base/page/context.ts";
import { CHAT_PATH } from "../ui/navigation.ts";
import { useHere } from "../ui/use-here.ts";

const SHOWN_MAX = 99;

/** The number of messages by others since the viewer opened the session's pages or left its chat. Hidden in the chat itself. */
export function Unread() {
  const reading = useLocation().pathname.endsWith(CHAT_PATH);
  return <UnreadMark count={useUnread({ reading })} />;
}

/** The number of unread messages as a mark, and in words; nothing if there are none. */
export function UnreadMark({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <>
      <span className="unread num" aria-hidden="true">
        {Math.min(count, SHOWN_MAX)}
      </span>
      <span className="vh">{countOf(count, "new message")}</span>
    </>
  );
}

/**
 * Counts the messages of others in the session's chat.
 * @param reading true while the chat is shown: then it is 0.
 */
export function useUnread({ reading }: { reading: boolean }): number {
  const viewerId = useViewer()?.id;
  const sessionId = useHere().session?.id ?? null;
  const [unread, setUnread] = useState(0);
  useSessionMessages(reading ? null : sessionId, {
    received: (message) => {
      if (message.sourceType !== "Message" || message.eventType !== "create") return;
      if (message.detail.message.userId !== viewerId) setUnread((count) => count + 1);
    },
  });
  useEffect(() => () => setUnread(0), [sessionId, reading, viewerId]);
  return unread;
}
