/** The key in localStorage: "off" where single keys do nothing on this device. */
export const SHORTCUT_KEYS = "keys";

/** Where storage is switched off: for this page alone. */
let isOnHere = true;

/** True where a single key is a shortcut. Keys with Ctrl, and those of the control that has the focus, always act. */
export function areShortcutKeysOn(): boolean {
  try {
    return localStorage.getItem(SHORTCUT_KEYS) !== "off";
  } catch {
    return isOnHere;
  }
}

/** Switches them on or off, in all tabs. */
export function switchShortcutKeys(isOn: boolean): void {
  isOnHere = isOn;
  try {
    if (isOn) localStorage.removeItem(SHORTCUT_KEYS);
    else localStorage.setItem(SHORTCUT_KEYS, "off");
  } catch {
    // See above.
  }
  followShortcutKeys();
}

/** Says to the style sheets whether they are on: the sides have their keys on them. */
export function followShortcutKeys(): void {
  document.documentElement.toggleAttribute("data-keys", areShortcutKeysOn());
}
