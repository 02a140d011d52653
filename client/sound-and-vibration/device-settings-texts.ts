/** The texts of what a player sets for one device. */
export const deviceSettingsTexts = {
  group: "This device",
  soundAndVibration: "Sound and vibration",
  on: "On",
  off: "Off",
  shortcutKeys: "Single keys",
  shortcutKeysHint: "1 and 2 choose a side, Backspace takes a call back, ? shows all keys.",
  delay: "Stream delay",
  delayOf: (seconds: number) => (seconds === 0 ? "Off" : `${seconds} s`),
  spokenDelay: (seconds: number) => (seconds === 0 ? "Off" : `${seconds} seconds`),
  delayHint:
    "You watch with a delay? This page shows everything that much later. Calls still close at their true time.",
  useDelay: (seconds: number) => (seconds === 0 ? "Turn the delay off" : `Use ${seconds} s`),
} as const;
