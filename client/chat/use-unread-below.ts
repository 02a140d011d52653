import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from "react";
import type { ChatState } from "./chat-state.ts";

/** A reader who is at most this many pixels from the end follows the chat. */
const AT_END_PX = 48;

export type UnreadBelow = {
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
export function useUnreadBelow({ messages, drafts, viewerId }: ChatState): UnreadBelow {
  const frame = useRef<HTMLDivElement>(null);
  const [unreadCount, setUnreadCount] = useState(0);
  const rendered = useRef({
    lastId: messages.at(-1)?.id ?? 0,
    drafts: drafts.length,
    height: 0,
    atEnd: true,
  });

  const onScroll = useCallback(() => {
    const atEnd = isAtEnd(frame.current);
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

function isAtEnd(frame: HTMLElement | null): boolean {
  return frame === null || frame.scrollTop > -AT_END_PX;
}
