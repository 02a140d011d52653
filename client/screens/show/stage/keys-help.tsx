import { useId, useSyncExternalStore } from "react";
import { close } from "#client/base/format/first-texts.ts";
import * as texts from "#client/running-order/show-texts.ts";
import { KeyList } from "#client/ui/key-list.tsx";
import { Switch } from "#client/ui/switch.tsx";
import { doesArmedStay, letArmedStay } from "../arming/use-fuse.ts";

const keys = [
  [texts.space, "advance"],
  ["C", "close"],
  ["-, +", texts.delayKeyHelp],
  ["S", texts.skipKeyHelp],
  ["P", texts.pauseKeyHelp],
  [texts.rowKeys, texts.rowKeyHelp],
  [texts.verdictKeys, texts.verdictKeyHelp],
  [texts.enter, texts.enterKeyHelp],
  [texts.escape, texts.escapeKeyHelp],
  ["U", texts.undoKeyHelp],
  ["?", texts.helpKeyHelp],
] as const;

/** A button that lists the keyboard shortcuts of the Admin tab. */
export function KeysHelp() {
  const id = useId();
  return (
    <>
      <button
        className="btn keys-help"
        type="button"
        popoverTarget={id}
        aria-haspopup="dialog"
        data-key="?"
        aria-keyshortcuts="?"
      >
        {texts.keys}
      </button>
      <dialog className="dialog" id={id} popover="auto" aria-labelledby={`${id}-title`}>
        <h2 id={`${id}-title`}>{texts.keys}</h2>
        <KeyList keys={keys} />
        <p className="small ink2">{texts.keysHint}</p>
        <ArmedStays />
        <button className="btn primary wide" type="button" popoverTarget={id} popoverTargetAction="hide">
          {close}
        </button>
      </dialog>
    </>
  );
}

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Eight seconds are too short for some. It holds for what is armed from now on. */
function ArmedStays() {
  const stays = useSyncExternalStore(subscribe, doesArmedStay, () => false);
  const toggle = () => {
    letArmedStay(!stays);
    for (const listener of listeners) listener();
  };
  return <Switch label={texts.armedStays} isOn={stays} words={texts.onOff} onToggle={toggle} />;
}
