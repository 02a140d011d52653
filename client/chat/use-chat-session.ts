import { useCallback, useState } from "react";
import type { SessionMessage } from "#src/relay/schemas.ts";
import type { SessionView } from "#src/sessions/schemas.ts";

type Heard = { session: SessionView | null; playersOnline: number | null };

/** The session around a chat, kept up to date by what the cable brings: its slow mode, and how many are here. */
export function useChatSession(loaded: SessionView): {
  session: SessionView;
  hear: (message: SessionMessage) => void;
} {
  const [heard, setHeard] = useState<Heard>({ session: null, playersOnline: null });
  const hear = useCallback((message: SessionMessage) => {
    if (message.sourceType === "Presence") {
      const { playersOnline } = message.detail;
      setHeard((known) => ({ ...known, playersOnline }));
    }
    if (message.sourceType === "Session" && message.eventType !== "destroy") {
      const { session } = message.detail;
      setHeard({ session, playersOnline: session.playersOnline });
    }
  }, []);
  const newest = newer(loaded, heard.session);
  return { session: { ...newest, playersOnline: heard.playersOnline ?? newest.playersOnline }, hear };
}

function newer(loaded: SessionView, heard: SessionView | null): SessionView {
  return heard !== null && heard.id === loaded.id && heard.version > loaded.version ? heard : loaded;
}
