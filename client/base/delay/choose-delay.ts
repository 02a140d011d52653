import { DELAY_COOKIE } from "#src/http/contract.ts";
import { storePreference } from "../browser/store-preference.ts";
import { storeDelay } from "./device-delay.ts";

/** Sets this device's stream delay and loads the page again: the server delays it until it has caught up. */
export function chooseDelay(seconds: number): void {
  storePreference(DELAY_COOKIE, String(seconds), seconds === 0 ? 0 : undefined);
  try {
    // Other tabs of this device load again as well (follow-delay.ts).
    localStorage.setItem(DELAY_COOKIE, String(seconds));
  } catch {
    // Storage is switched off: other tabs follow with their next page.
  }
  void storeDelay(seconds)
    .catch(() => undefined)
    .finally(() => globalThis.location.reload());
}
