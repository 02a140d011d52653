import { type MouseEvent, type ReactNode, type SyntheticEvent, useEffect, useRef } from "react";
import { keepStill } from "#client/base/browser/still-places.ts";
import { Icon } from "#client/ui/icon.tsx";
import { LiveLine } from "./live-line.tsx";
import { sheetTexts } from "./phone-texts.ts";
import { closeSheet, type SheetName, useOpenSheet } from "./sheet-history.ts";
import { useDragDown } from "./use-drag-down.ts";

type BottomSheetProps = {
  name: SheetName;
  title: string;
  /** Beside the title. */
  aside?: ReactNode;
  children: ReactNode;
};

/**
 * A sheet over the lower part of the Action screen. The question and its clock stay at its top. A modal dialog holds the focus in
 * it and gives it back. The close button, Escape, "Back", a tap beside it and a pull on its head close it.
 */
export function BottomSheet({ name, title, aside, children }: BottomSheetProps) {
  const open = useOpenSheet() === name;
  const dialog = useRef<HTMLDialogElement>(null);
  const { sheet, head } = useDragDown(closeSheet);
  useEffect(() => {
    if (!open) dialog.current?.close();
    else if (dialog.current?.open === false) dialog.current.showModal();
  }, [open]);
  const id = `${name}-sheet-title`;
  return (
    <dialog
      className="bottom-sheet"
      ref={dialog}
      aria-labelledby={id}
      onCancel={closeFirst}
      // The browser may close it without asking.
      onClose={() => open && closeSheet()}
      onClick={closeBeside}
    >
      <div className="bottom-sheet-panel" ref={sheet}>
        <header {...head}>
          <h2 id={id}>{title}</h2>
          {aside}
          <button
            className="btn bare sq push"
            type="button"
            aria-label={sheetTexts.close(title)}
            onClick={closeByCross}
          >
            <Icon name="cross" />
          </button>
        </header>
        {open ? <LiveLine /> : null}
        {children}
      </div>
    </dialog>
  );
}

/** The second press of a double click must not hit what the sheet has covered. */
function closeByCross({ currentTarget }: MouseEvent): void {
  keepStill(currentTarget);
  closeSheet();
}

/** The history decides what is open, so it closes first. */
function closeFirst(event: SyntheticEvent): void {
  event.preventDefault();
  closeSheet();
}

/** The dialog fills the window, and its panel lies at the bottom. */
function closeBeside({ target, currentTarget }: MouseEvent<HTMLDialogElement>): void {
  if (target === currentTarget) closeSheet();
}
