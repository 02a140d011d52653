import { followShortcutKeys, SHORTCUT_KEYS } from "../base/browser/shortcut-keys.ts";
import { fetchLate } from "../base/live/late-code.ts";
import { isSoundAndVibrationOn, SOUND_AND_VIBRATION_KEY } from "./sound-and-vibration.ts";

/**
 * Follows what is set for this device, in this tab and in others: the code of sounds and vibration is fetched only where they are on, and single
 * keys may be off.
 */
export function followDevice(): void {
  followShortcutKeys();
  if (isSoundAndVibrationOn()) followSoundAndVibration();
  window.addEventListener("storage", ({ key }) => {
    if (key === SOUND_AND_VIBRATION_KEY) followSoundAndVibration();
    if (key === SHORTCUT_KEYS) followShortcutKeys();
  });
}

/** Starts or ends sounds and vibration, as they are set. */
export function followSoundAndVibration(): void {
  // Without an answer the next page tries again.
  fetchLate(() => import("./play-cues.ts"))
    .then(({ switchCues }) => switchCues(isSoundAndVibrationOn()))
    .catch(() => undefined);
}
