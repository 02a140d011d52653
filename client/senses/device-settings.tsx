import { useId, useState, useSyncExternalStore } from "react";
import { DELAY_MAX_S, DELAY_STEP_S } from "#src/http/contract.ts";
import { usePage } from "../context.ts";
import { chooseDelay } from "../delay/choose-delay.ts";
import { Switch } from "../ui/switch.tsx";
import { feel, sample } from "./feel.ts";
import { sensesTexts } from "./senses-texts.ts";
import { areSensesOn, SENSES_KEY } from "./senses.ts";

/** What the player sets for this device alone: sound and vibration, and the stream delay. */
function DeviceSettings() {
  const { viewer } = usePage();
  return (
    <div className="device" role="group" aria-label={sensesTexts.group}>
      <SensesSwitch />
      {/* Admins and operators see it as it is. */}
      {viewer?.roles.length === 0 ? <DelayField /> : null}
    </div>
  );
}

const listeners = new Set<() => void>();

function SensesSwitch() {
  const isOn = useSyncExternalStore(subscribe, areSensesOn);
  const toggle = () => {
    chooseSenses(!isOn);
    for (const listener of listeners) listener();
  };
  return <Switch label={sensesTexts.senses} isOn={isOn} words={sensesTexts} onToggle={toggle} />;
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

function chooseSenses(isOn: boolean): void {
  try {
    if (isOn) localStorage.setItem(SENSES_KEY, "on");
    else localStorage.removeItem(SENSES_KEY);
  } catch {
    // Storage is switched off: there is no sound on this device.
  }
  feel(areSensesOn());
  if (areSensesOn()) sample();
}

function DelayField() {
  const id = useId();
  const { delaySeconds } = usePage();
  const [seconds, setSeconds] = useState(delaySeconds);
  return (
    <div className="delay">
      <div className="row">
        <label className="small ink2" htmlFor={id}>
          {sensesTexts.delay}
        </label>
        <b className="push num">{sensesTexts.delayOf(seconds)}</b>
      </div>
      <input
        id={id}
        type="range"
        min={0}
        max={DELAY_MAX_S}
        step={DELAY_STEP_S}
        value={seconds}
        aria-valuetext={sensesTexts.spokenDelay(seconds)}
        aria-describedby={`${id}-hint`}
        onChange={({ currentTarget }) => setSeconds(Number(currentTarget.value))}
      />
      <p className="small ink2" id={`${id}-hint`}>
        {sensesTexts.delayHint}
      </p>
      {seconds === delaySeconds ? null : (
        <button className="btn primary wide" type="button" onClick={() => chooseDelay(seconds)}>
          {sensesTexts.useDelay(seconds)}
        </button>
      )}
    </div>
  );
}

/** The code that comes when the settings are opened. */
export const deviceParts = { DeviceSettings };
