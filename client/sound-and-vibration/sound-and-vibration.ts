import { readStored } from "../base/browser/storage.ts";
import type { View } from "../events/view.ts";

/** The key in localStorage: "on" where sounds and vibration are wanted on this device. Its name is what devices have stored. */
export const SOUND_AND_VIBRATION_KEY = "senses";

/** Follows what the Action screen shows. The code of the sounds (play-cues.ts) puts itself in here; without it, nothing. */
export const soundAndVibration: { follow: (view: View) => void } = { follow: () => undefined };

/** True where sounds and vibration are wanted. Without storage they are not. */
export const isSoundAndVibrationOn = () => readStored(SOUND_AND_VIBRATION_KEY) === "on";
