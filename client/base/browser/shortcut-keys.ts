import { readStored, store } from "./storage.ts";

/** The key in localStorage: "off" where single keys do nothing on this device. */
export const SHORTCUT_KEYS = "keys";

/** Where storage is switched off: for this page alone. */
let isOffHere = false;

/** True where a single key is a shortcut. Keys with Ctrl, and those of the control that has the focus, always act. */
export function areShortcutKeysOn(): boolean {
  return !isOffHere && readStored(SHORTCUT_KEYS) !== "off";
}

/** Switches them on or off, in all tabs. */
export function switchShortcutKeys(isOn: boolean): void {
  isOffHere = !store(SHORTCUT_KEYS, isOn ? null : "off") && !isOn;
  followShortcutKeys();
}

/** Says to the style sheets whether they are on: the sides have their keys on them. */
export function followShortcutKeys(): void {
  document.documentElement.toggleAttribute("data-keys", areShortcutKeysOn());
}
