import { useEffect, useState } from "react";
import type { EventView } from "#src/show/events/schemas.ts";

/** Nobody has read a question before. */
const UNREAD_MS = 500;

/** What is asked: another question, or another wording of it, has to be read first. */
export function questionOf(event: EventView | null): string {
  return event === null ? "" : JSON.stringify([event.id, event.title, event.trueLabel, event.falseLabel]);
}

/**
 * True while nobody can have read the question yet: it has taken the card by itself. The one that the page came with is what the
 * viewer has opened.
 */
export function useUnread(event: EventView | null): boolean {
  const question = questionOf(event);
  const [read, setRead] = useState(question);
  useEffect(() => {
    if (question === read) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    // A page in the background is not read.
    const look = () => {
      clearTimeout(timer);
      if (document.visibilityState === "visible") timer = setTimeout(() => setRead(question), UNREAD_MS);
    };
    look();
    document.addEventListener("visibilitychange", look);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [question, read]);
  return question !== read;
}
