import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from "react";
import type { Talk } from "./talk.ts";

/** Whoever is no further from the end than this, in pixels, reads along. */
const AT_END_PX = 48;

export type Unseen = {
  /** Belongs on what scrolls, whose content is written from the bottom up. */
  frame: RefObject<HTMLDivElement | null>;
  /** How many messages of others came below what the reader sees. */
  unseen: number;
  /** To be called when the reader has scrolled. */
  look: () => void;
  toEnd: () => void;
};

/**
 * Keeps a reader who has scrolled up where they are, and counts what comes below; whoever is at the end stays there. What one
 * says oneself is always shown.
 */
export function useUnseen({ messages, drafts, viewerId }: Talk): Unseen {
  const frame = useRef<HTMLDivElement>(null);
  const [unseen, setUnseen] = useState(0);
  const shown = useRef({ lastId: messages.at(-1)?.id ?? 0, drafts: drafts.length, height: 0, atEnd: true });

  const look = useCallback(() => {
    const atEnd = isAtEnd(frame.current);
    shown.current.atEnd = atEnd;
    if (atEnd) setUnseen(0);
  }, []);
  const toEnd = useCallback(() => {
    if (frame.current !== null) frame.current.scrollTop = 0;
    shown.current.atEnd = true;
    setUnseen(0);
  }, []);

  useLayoutEffect(() => {
    if (frame.current === null) return;
    const before = shown.current;
    const news = messages.filter(({ id }) => id > before.lastId);
    const grown = frame.current.scrollHeight - before.height;
    shown.current = {
      lastId: messages.at(-1)?.id ?? 0,
      drafts: drafts.length,
      height: frame.current.scrollHeight,
      atEnd: before.atEnd,
    };
    if (drafts.length > before.drafts) return toEnd();
    if (before.atEnd || news.length === 0) return;
    // Counted from the end, the place moves with what comes below it.
    frame.current.scrollTop -= grown;
    const others = news.filter(({ userId }) => userId !== viewerId).length;
    if (others > 0) setUnseen((count) => count + others);
  }, [messages, drafts, viewerId, toEnd]);
  return { frame, unseen, look, toEnd };
}

function isAtEnd(frame: HTMLElement | null): boolean {
  return frame === null || frame.scrollTop > -AT_END_PX;
}
