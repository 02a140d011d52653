import type { View } from "../events/view.ts";

/** The key in localStorage: "on" where the player wants sounds and vibration on this device. */
export const SOUND_AND_VIBRATION_KEY = "senses";

/** Follows what the Action screen shows. The code of sounds and vibration (feel.ts) puts itself in here; without it, nothing. */
export const senses: { follow: (view: View) => void } = { follow: () => undefined };

/** True where sounds and vibration are wanted. Without storage they are not. */
export function isSoundAndVibrationOn(): boolean {
  try {
    return localStorage.getItem(SOUND_AND_VIBRATION_KEY) === "on";
  } catch {
    return false;
  }
}
