import { useEffect, useRef } from "react";
import { deviceParts } from "#client/sound-and-vibration/device-settings.tsx";
import { KeyList } from "#client/ui/key-list.tsx";
import * as texts from "./key-texts.ts";

const keys = [
  [texts.leftKeys, texts.chooseLeft],
  [texts.rightKeys, texts.chooseRight],
  [texts.enterKey, texts.placeCall],
  [texts.leftRightKeys, texts.chooseByArrow],
  [texts.upDownKeys, texts.changeWager],
  [texts.backspaceKey, texts.takeBackNewest],
  [texts.undoKeys, texts.undoTakingBack],
  ["?", texts.showHelp],
] as const;

/** Lists the keyboard shortcuts of the game, and what is set for this device: single keys may be switched off. */
function HelpDialog({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog className="dialog" ref={dialog} onClose={onClose} aria-labelledby="help-title">
      <h2 id="help-title">{texts.keys}</h2>
      <KeyList keys={keys} />
      <deviceParts.DeviceSettings />
      <form method="dialog">
        <button className="btn primary wide" type="submit">
          {texts.close}
        </button>
      </form>
    </dialog>
  );
}

/** The code that comes when the help is opened. */
export const helpParts = { HelpDialog };
