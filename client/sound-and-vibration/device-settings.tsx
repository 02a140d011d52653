import { useId, useState } from "react";
import { DELAY_MAX_S, DELAY_STEP_S } from "#src/http/contract.ts";
import { areShortcutKeysOn, switchShortcutKeys } from "../base/browser/shortcut-keys.ts";
import { store, useStored } from "../base/browser/storage.ts";
import { chooseDelay } from "../base/delay/device-delay.ts";
import { usePage } from "../base/page/context.ts";
import { Switch } from "../ui/switch.tsx";
import { switchCues, sample } from "./play-cues.ts";
import { isSoundAndVibrationOn, SOUND_AND_VIBRATION_KEY } from "./sound-and-vibration.ts";

/** What the player sets for this device alone: sound and vibration, single keys, and the stream delay. */
export function DeviceSettings() {
  const { viewer } = usePage();
  return (
    <div className="device" role="group" aria-label="This device">
      <SoundAndVibrationSwitch />
      <ShortcutKeysSwitch />
      {/* Admins and operators see it as it is. */}
      {viewer?.roles.length === 0 ? <DelayField /> : null}
    </div>
  );
}

function SoundAndVibrationSwitch() {
  const isOn = useStored(isSoundAndVibrationOn);
  const toggle = () => chooseSoundAndVibration(!isOn);
  return <Switch label="Sound and vibration" isOn={isOn} onToggle={toggle} />;
}

function ShortcutKeysSwitch() {
  const isOn = useStored(areShortcutKeysOn);
  return (
    <div className="single-keys">
      <Switch label="Single keys" isOn={isOn} onToggle={() => switchShortcutKeys(!isOn)} />
      <p className="small ink2">1 and 2 choose a side, Backspace takes a call back, ? shows all keys.</p>
    </div>
  );
}

function chooseSoundAndVibration(isOn: boolean): void {
  // Where storage is switched off there is no sound on this device.
  store(SOUND_AND_VIBRATION_KEY, isOn ? "on" : null);
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
          Stream delay
        </label>
        <b className="push num">{seconds === 0 ? "Off" : `${seconds} s`}</b>
      </div>
      <input
        id={id}
        type="range"
        min={0}
        max={DELAY_MAX_S}
        step={DELAY_STEP_S}
        value={seconds}
        aria-valuetext={seconds === 0 ? "Off" : `${seconds} seconds`}
        aria-describedby={`${id}-hint`}
        onChange={({ currentTarget }) => setSeconds(Number(currentTarget.value))}
      />
      <p className="small ink2" id={`${id}-hint`}>
        You watch with a delay? This page shows everything that much later. Calls still close at their true
        time.
      </p>
      {seconds === delaySeconds ? null : (
        <button className="btn primary wide" type="button" onClick={() => chooseDelay(seconds)}>
          {seconds === 0 ? "Turn the delay off" : `Use ${seconds} s`}
        </button>
      )}
    </div>
  );
}
