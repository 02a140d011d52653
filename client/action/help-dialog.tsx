import { useEffect, useRef } from "react";
import { KeyList } from "../ui/key-list.tsx";

const keys = [
  ["1 or left", "choose the left side"],
  ["2 or right", "choose the right side"],
  ["Enter", "call the chosen side"],
  ["Up, down", "wager more or less"],
  ["Backspace", "take the newest call back"],
  ["?", "this help"],
] as const;

/** Lists the keyboard shortcuts of the game. */
export function HelpDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (open) dialog.current?.showModal();
  }, [open]);
  return (
    <dialog className="dialog" ref={dialog} onClose={onClose} aria-labelledby="help-title">
      <h2 id="help-title">Keys</h2>
      <KeyList keys={keys} />
      <form method="dialog">
        <button className="btn primary wide" type="submit">
          Close
        </button>
      </form>
    </dialog>
  );
}
