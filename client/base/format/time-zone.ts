import { useSyncExternalStore } from "react";
import { readStored, store } from "../browser/storage.ts";
import { storePreference } from "../browser/store-preference.ts";
import { createStore } from "../browser/store.ts";
import { usePage } from "../page/context.ts";
import { setOwnZone, TIME_ZONE_COOKIE } from "./time-format.ts";

const STORAGE_KEY = "zone";

/** The browser's time zone; null until it is known. */
const zoneHere = createStore<string | null>(null);
/** It was recalled: the cookie has it. */
let isStored = false;

/** The reader's time zone: the one that the server rendered in until the browser's own is known. */
export function useTimeZone(): string {
  const { timeZone } = usePage();
  return useSyncExternalStore(
    zoneHere.listen,
    () => zoneHere.get() ?? timeZone,
    () => timeZone,
  );
}

/**
 * Before hydration: takes the page's zone for the browser's if it is. Where only `Intl` knows the browser's zone, it is if this
 * browser has said so before, and has not moved since.
 */
export function recallTimeZone(pageZone: string): void {
  if ("Temporal" in globalThis) {
    if (findTimeZone() === pageZone) use(pageZone);
    return;
  }
  if (readStored(STORAGE_KEY) !== markOf(pageZone)) return;
  use(pageZone);
  isStored = true;
}

/**
 * Finds out the browser's time zone unless it was recalled, shows all times in it, and stores it in a cookie, so that the
 * server renders the next page in it. That may take long, so it is done when the page is idle.
 */
export function learnTimeZone(): void {
  if (isStored) return;
  const timeZone = findTimeZone();
  use(timeZone);
  storePreference(TIME_ZONE_COOKIE, encodeURIComponent(timeZone));
  // Without storage the zone is found out on each page.
  store(STORAGE_KEY, markOf(timeZone));
}

/** Asks `Temporal` where it exists: for `Intl` the browser loads much, which takes a phone a fifth of a second. */
function findTimeZone(): string {
  return "Temporal" in globalThis
    ? Temporal.Now.timeZoneId()
    : Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function use(timeZone: string): void {
  setOwnZone(timeZone);
  zoneHere.set(timeZone);
}

/** A zone, and how far the browser's own is from UTC now, in January and in July. Example: "Europe/Paris -60 -60 -120". */
function markOf(timeZone: string): string {
  const now = new Date();
  const months = [0, 6].map((month) => new Date(now.getFullYear(), month));
  return [timeZone, ...[now, ...months].map((time) => time.getTimezoneOffset())].join(" ");
}
