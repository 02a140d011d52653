import { useEffect, useRef } from "react";
import * as words from "#client/base/format/words.ts";
import { DeviceSettings } from "#client/sound-and-vibration/device-settings.tsx";
import { KeyList } from "#client/ui/key-list.tsx";

const keys = [
  ["1", "choose the left side"],
  ["2", "choose the right side"],
  [words.enter, "call the chosen side"],
  ["Left, right", "choose a side, from the sides or the amount"],
  ["Up, down", "wager more or less, there too"],
  ["Backspace", "take the newest call back"],
  ["Ctrl+Z", "undo that, for 5 seconds"],
  ["?", "this help"],
] as const;

/** Lists the keyboard shortcuts of the game, and what is set for this device: single keys may be switched off. */
function HelpDialog({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog className="dialog" ref={dialog} onClose={onClose} aria-labelledby="help-title">
      <h2 id="help-title">Keys</h2>
      <KeyList keys={keys} />
      <DeviceSettings />
      <form method="dialog">
        <button className="btn primary wide" type="submit">
          {words.close}
        </button>
      </form>
    </dialog>
  );
}

/** The code that comes when the help is opened. */
export const helpParts = { HelpDialog };
