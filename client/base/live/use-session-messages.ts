import { useEffect, useEffectEvent } from "react";
import type { SessionMessage } from "#src/live/relay/schemas.ts";
import { usePage } from "../page/context.ts";
import { listen } from "./cable.ts";

type Handlers = {
  received: (message: SessionMessage) => void;
  /** Messages may have been missed. */
  missed?: () => void;
  connected?: () => void;
  rejected?: () => void;
};

/**
 * Hears the messages of a session. The handlers are those of the last render.
 * @param sessionId null: hears nothing.
 * @param from "page": what has come since the page was rendered, too.
 */
export function useSessionMessages(
  sessionId: number | null,
  handlers: Handlers,
  from: "page" | "now" = "now",
): void {
  const latest = useEffectEvent(() => handlers);
  const { cableUrl, streamOffsets } = usePage();
  const offset = from === "page" && streamOffsets.session?.id === sessionId ? streamOffsets.session : null;
  useEffect(() => {
    if (sessionId === null) return;
    const channel = { channel: "SessionsChannel", id: String(sessionId), offset } as const;
    return listen(cableUrl, channel, {
      connected: () => latest().connected?.(),
      missed: () => latest().missed?.(),
      rejected: () => latest().rejected?.(),
      received: (message) => latest().received(message),
    });
  }, [cableUrl, offset, sessionId]);
}
