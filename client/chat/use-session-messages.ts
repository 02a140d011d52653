import { useEffect, useRef } from "react";
import type { SessionMessage } from "#src/relay/schemas.ts";
import { listen } from "../cable.ts";
import { usePage } from "../context.ts";

type Hearing = {
  sessionId: number;
  /** False: nothing is heard. */
  live: boolean;
  /** Called after every connect, when something may have been missed. */
  lookAgain: () => void;
};

/** Hears what the cable brings of a session. */
export function useSessionMessages(
  { sessionId, live, lookAgain }: Hearing,
  heard: (message: SessionMessage) => void,
): void {
  const { cableUrl } = usePage();
  const latest = useRef(heard);
  useEffect(() => {
    latest.current = heard;
  });
  useEffect(() => {
    if (!live) return;
    return listen(
      cableUrl,
      { channel: "SessionsChannel", id: String(sessionId), place: null },
      { connected: lookAgain, missed: lookAgain, received: (message) => latest.current(message) },
    );
  }, [cableUrl, sessionId, live, lookAgain]);
}
