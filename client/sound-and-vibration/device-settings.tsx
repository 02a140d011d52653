import { useId, useState, useSyncExternalStore } from "react";
import { DELAY_MAX_S, DELAY_STEP_S } from "#src/http/contract.ts";
import { areShortcutKeysOn, switchShortcutKeys } from "../base/browser/shortcut-keys.ts";
import { chooseDelay } from "../base/delay/device-delay.ts";
import { usePage } from "../base/page/context.ts";
import { Switch } from "../ui/switch.tsx";
import { switchCues, sample } from "./play-cues.ts";
import { isSoundAndVibrationOn, SOUND_AND_VIBRATION_KEY } from "./sound-and-vibration.ts";

/** The texts of what a player sets for one device. */
const deviceSettingsTexts = {
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

/** What the player sets for this device alone: sound and vibration, single keys, and the stream delay. */
function DeviceSettings() {
  const { viewer } = usePage();
  return (
    <div className="device" role="group" aria-label={deviceSettingsTexts.group}>
      <SoundAndVibrationSwitch />
      <ShortcutKeysSwitch />
      {/* Admins and operators see it as it is. */}
      {viewer?.roles.length === 0 ? <DelayField /> : null}
    </div>
  );
}

const listeners = new Set<() => void>();

function SoundAndVibrationSwitch() {
  const isOn = useSyncExternalStore(subscribe, isSoundAndVibrationOn);
  const toggle = () => {
    chooseSoundAndVibration(!isOn);
    for (const listener of listeners) listener();
  };
  return (
    <Switch
      label={deviceSettingsTexts.soundAndVibration}
      isOn={isOn}
      words={deviceSettingsTexts}
      onToggle={toggle}
    />
  );
}

function ShortcutKeysSwitch() {
  const isOn = useSyncExternalStore(subscribe, areShortcutKeysOn);
  const toggle = () => {
    switchShortcutKeys(!isOn);
    for (const listener of listeners) listener();
  };
  return (
    <div className="single-keys">
      <Switch
        label={deviceSettingsTexts.shortcutKeys}
        isOn={isOn}
        words={deviceSettingsTexts}
        onToggle={toggle}
      />
      <p className="small ink2">{deviceSettingsTexts.shortcutKeysHint}</p>
    </div>
  );
}

/** The menu and the help may both show the switch, and other tabs have it too. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  globalThis.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    globalThis.removeEventListener("storage", listener);
  };
}

function chooseSoundAndVibration(isOn: boolean): void {
  try {
    if (isOn) localStorage.setItem(SOUND_AND_VIBRATION_KEY, "on");
    else localStorage.removeItem(SOUND_AND_VIBRATION_KEY);
  } catch {
    // Storage is switched off: there is no sound on this device.
  }
  switchCues(isSoundAndVibrationOn());
  if (isSoundAndVibrationOn()) sample();
}

function DelayField() {
  const id = useId();
  const { delaySeconds } = usePage();
  const [seconds, setSeconds] = useState(delaySeconds);
  return (
    <div className="delay">
      <div className="row">
        <label className="small ink2" htmlFor={id}>
          {deviceSettingsTexts.delay}
        </label>
        <b className="push num">{deviceSettingsTexts.delayOf(seconds)}</b>
      </div>
      <input
        id={id}
        type="range"
        min={0}
        max={DELAY_MAX_S}
        step={DELAY_STEP_S}
        value={seconds}
        aria-valuetext={deviceSettingsTexts.spokenDelay(seconds)}
        aria-describedby={`${id}-hint`}
        onChange={({ currentTarget }) => setSeconds(Number(currentTarget.value))}
      />
      <p className="small ink2" id={`${id}-hint`}>
        {deviceSettingsTexts.delayHint}
      </p>
      {seconds === delaySeconds ? null : (
        <button className="btn primary wide" type="button" onClick={() => chooseDelay(seconds)}>
          {deviceSettingsTexts.useDelay(seconds)}
        </button>
      )}
    </div>
  );
}

/** The code that comes when the settings are opened. */
export const deviceParts = { DeviceSettings };
