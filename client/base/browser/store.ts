import { useSyncExternalStore } from "react";

/** Tells all who listen what has happened. */
export function createSignal<Detail = void>() {
  const listeners = new Set<(detail: Detail) => void>();
  return {
    tell: (detail: Detail) => {
      for (const listener of listeners) listener(detail);
    },
    /** @returns stops listening. */
    listen: (listener: (detail: Detail) => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** A value outside React. On the server, and while the page is hydrated, components read the first one. */
export function createStore<Value>(first: Value) {
  const { tell, listen } = createSignal();
  let current = first;
  return {
    first,
    get: () => current,
    set: (next: Value) => {
      current = next;
      tell();
    },
    listen,
  };
}

export function useStore<Value>({ first, get, listen }: ReturnType<typeof createStore<Value>>): Value {
  return useSyncExternalStore(listen, get, () => first);
}
