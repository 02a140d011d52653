import { useId } from "react";
import { kept } from "../kept.ts";
import { KeyList } from "../ui/key-list.tsx";

const keys = [
  ["Space", "advance"],
  ["C", "close"],
  ["-, +", "ten seconds earlier or later"],
  ["S", "skip"],
  ["P", "pause or resume"],
  ["T, F, V", "show what True, False or void pays"],
  ["Enter", "do what is asked"],
  ["Escape", "leave it"],
  ["U", "take the newest result back; once it is paid, correct it"],
  ["?", "this help"],
] as const;

const Keys = kept(function Keys() {
  return <KeyList keys={keys} />;
});

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
        Keys
      </button>
      <dialog className="dialog" id={id} popover="auto" aria-labelledby={`${id}-title`}>
        <h2 id={`${id}-title`}>Keys</h2>
        <Keys />
        <button className="btn primary wide" type="button" popoverTarget={id} popoverTargetAction="hide">
          Close
        </button>
      </dialog>
    </>
  );
}
