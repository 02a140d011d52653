import { useEffect, useSyncExternalStore } from "react";
import { useLocation } from "react-router";
import { createSignal } from "#client/base/browser/store.ts";

export type SheetName = (typeof names)[number];

const names = ["leaders", "chat", "invite"] as const;

/*
 * An open sheet is an entry of the browser's history, with the sheet's name in its state and its address. So "Back" closes it, and
 * a page that is loaded again opens it again. The router must not see these entries: it would load the whole page again when
 * the sheet closes. They have the state of the router's own entry, whose key tells that only the sheet differs.
 */

const { tell, listen } = createSignal();

/** Opens a sheet; replaces the open one. */
export function openSheet(name: SheetName): void {
  const state: unknown = { ...readState(), sheet: name };
  if (readSheet() === null) history.pushState(state, "", `#${name}`);
  else history.replaceState(state, "", `#${name}`);
  tell();
}

/** Closes the open sheet, if there is one, as "Back" does. */
export function closeSheet(): void {
  if (readSheet() !== null) history.back();
}

export function useOpenSheet(): SheetName | null {
  return useSyncExternalStore(listen, readSheet, () => null);
}

/** Follows "Back" and "Forward" between the page and its sheets, while the page is shown. */
export function useSheetHistory(): void {
  const { key } = useLocation();
  useEffect(() => {
    const follow = (event: PopStateEvent) => {
      if (keyIn(readState()) === key) event.stopImmediatePropagation();
      tell();
    };
    // Captured, so that it runs before the router's own listener.
    globalThis.addEventListener("popstate", follow, { capture: true });
    return () => globalThis.removeEventListener("popstate", follow, { capture: true });
  }, [key]);
}

function readSheet(): SheetName | null {
  const { sheet } = readState();
  return names.find((name) => name === sheet) ?? null;
}

/** The router names the first entry "default". */
function keyIn({ key = "default" }: { key?: unknown }): unknown {
  return key;
}

function readState(): { sheet?: unknown; key?: unknown } {
  const state: unknown = history.state;
  return typeof state === "object" && state !== null ? state : {};
}
