import { useCallback, useSyncExternalStore } from "react";

const listeners = new Set<() => void>();
/** What was written on this page, by key; the storage has what was written before it was loaded. */
const written = new Map<string, string>();

/**
 * The text in the field of a session's chat. It is its player's alone, and survives until it is sent: also when the chat is closed, or the page is loaded
 * again in this tab.
 * @param first what the field holds if nothing was written before.
 */
export function useWritten(
  { viewerId, sessionId }: { viewerId: number; sessionId: number },
  first: string,
): [body: string, write: (body: string) => void] {
  const key = `chat:${sessionId}:${viewerId}`;
  const body = useSyncExternalStore(
    subscribe,
    () => read(key) || first,
    () => first,
  );
  const write = useCallback((next: string) => store(key, next), [key]);
  return [body, write];
}

function read(key: string): string {
  const known = written.get(key);
  if (known !== undefined) return known;
  const stored = readStored(key);
  written.set(key, stored);
  return stored;
}

/** Without storage the text lasts as long as the page. */
function readStored(key: string): string {
  try {
    return sessionStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
}

function store(key: string, body: string): void {
  written.set(key, body);
  try {
    if (body === "") sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, body);
  } catch {
    // Storage is switched off or full.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
