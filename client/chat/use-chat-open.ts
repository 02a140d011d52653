import { useSyncExternalStore } from "react";

const STORAGE_KEY = "chat";
const OPEN = "open";
/** The rail is on wide screens only. */
const WIDE = "(min-width: 64rem)";

const listeners = new Set<() => void>();

/** Whether the rail shows the chat, which this browser remembers. Without storage it never does after a reload. */
export function useChatOpen(): [open: boolean, setOpen: (open: boolean) => void] {
  return [useSyncExternalStore(subscribe, isOpen, () => false), setOpen];
}

let stored: string | null | undefined;

function isOpen(): boolean {
  if (!matchMedia(WIDE).matches) return false;
  stored ??= readStored();
  return stored === OPEN;
}

function readStored(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
}

function setOpen(open: boolean): void {
  stored = open ? OPEN : "";
  try {
    localStorage.setItem(STORAGE_KEY, stored);
  } catch {
    // Storage is switched off or full.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
