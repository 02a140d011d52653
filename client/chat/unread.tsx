import { useEffect, useState } from "react";
import { useLocation } from "react-router";
import { listen } from "../cable.ts";
import { usePage } from "../context.ts";
import { useHere } from "../frame/use-here.ts";
import { CHAT_PATH } from "../navigation.ts";
import { countOf } from "../ui/count.ts";

const SHOWN_MAX = 99;

/** The number of messages by others since the viewer opened the session's pages or left its chat. Hidden in the chat itself. */
export function Unread() {
  const count = useUnread();
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

function useUnread(): number {
  const { cableUrl, viewer } = usePage();
  const sessionId = useHere().session?.id;
  const reading = useLocation().pathname.endsWith(CHAT_PATH);
  const [unread, setUnread] = useState(0);
  const viewerId = viewer?.id;
  useEffect(() => {
    if (sessionId === undefined || reading) return;
    const stop = listen(
      cableUrl,
      { channel: "SessionsChannel", id: String(sessionId), offset: null },
      {
        missed: () => undefined,
        received: (message) => {
          if (message.sourceType !== "Message" || message.eventType !== "create") return;
          if (message.detail.message.userId !== viewerId) setUnread((count) => count + 1);
        },
      },
    );
    return () => {
      stop();
      setUnread(0);
    };
  }, [cableUrl, sessionId, reading, viewerId]);
  return unread;
}
