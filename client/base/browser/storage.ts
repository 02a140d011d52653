import { useSyncExternalStore } from "react";
import { createSignal } from "./store.ts";

type Name = "localStorage" | "sessionStorage";

/** What this device, or this tab, has stored; null for nothing, and where storage is switched off. */
export function readStored(key: string, storage: Name = "localStorage"): string | null {
  try {
    return globalThis[storage].getItem(key);
  } catch {
    return null;
  }
}

/** What is read from the storage, as this tab and others change it. */
export function useStored<Value>(read: () => Value, onServer?: () => Value): Value {
  return useSyncExternalStore(listen, read, onServer);
}

const { tell, listen: listenHere } = createSignal();

function listen(listener: () => void): () => void {
  globalThis.addEventListener("storage", listener);
  const stop = listenHere(listener);
  return () => {
    globalThis.removeEventListener("storage", listener);
    stop();
  };
}

/** Stores a text; null removes it. @returns false where storage is switched off or full. */
export function store(key: string, value: string | null, storage: Name = "localStorage"): boolean {
  // Who stores may keep it in the page too.
  queueMicrotask(tell);
  try {
    if (value === null) globalThis[storage].removeItem(key);
    else globalThis[storage].setItem(key, value);
    return true;
  } catch {
    return false;
  }
}
