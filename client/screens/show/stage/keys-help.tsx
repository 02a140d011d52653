import { useId } from "react";
import * as texts from "#client/running-order/show-texts.ts";
import { KeyList } from "#client/ui/key-list.tsx";

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
        <button className="btn primary wide" type="button" popoverTarget={id} popoverTargetAction="hide">
          {texts.closeByHand}
        </button>
      </dialog>
    </>
  );
}
