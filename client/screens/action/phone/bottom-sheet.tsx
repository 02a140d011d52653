import {
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  type SyntheticEvent,
  useEffect,
  useRef,
} from "react";
import { guardPlace } from "#client/base/browser/click-guard.ts";
import { Icon } from "#client/ui/icon.tsx";
import { LiveLine } from "./live-line.tsx";
import { closeSheet, type SheetName, useOpenSheet } from "./sheet-history.ts";

/** A sheet that is pulled down this far, in pixels, or thrown this fast, in pixels a millisecond, closes. */
const CLOSES_FROM_PX = 96;

const CLOSES_FROM_SPEED = 0.6;

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
            aria-label={`Close ${title.toLowerCase()}`}
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
  guardPlace(currentTarget);
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

/**
 * Lets a finger or a mouse pull a sheet down by its head.
 * @param onClose called when it was pulled far or fast enough; otherwise the sheet moves back.
 * @returns the ref of the sheet, which follows the pointer, and the handlers of its head. Its buttons and links stay usable.
 */
function useDragDown(onClose: () => void) {
  const sheet = useRef<HTMLDivElement>(null);
  const drag = useRef<{ startY: number; startMs: number } | null>(null);
  const move = (px: number) => {
    if (sheet.current !== null) sheet.current.style.translate = px === 0 ? "" : `0 ${px}px`;
  };
  const pulled = (event: PointerEvent) =>
    drag.current === null ? 0 : Math.max(0, event.clientY - drag.current.startY);
  const head = {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (!event.isPrimary || isControl(event.target)) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      drag.current = { startY: event.clientY, startMs: event.timeStamp };
    },
    onPointerMove: (event: PointerEvent) => {
      if (drag.current !== null) move(pulled(event));
    },
    onPointerUp: (event: PointerEvent) => {
      const px = pulled(event);
      const ms = drag.current === null ? 0 : event.timeStamp - drag.current.startMs;
      drag.current = null;
      move(0);
      if (px > CLOSES_FROM_PX || (px > CLOSES_FROM_PX / 4 && px / ms > CLOSES_FROM_SPEED)) onClose();
    },
    onPointerCancel: () => {
      drag.current = null;
      move(0);
    },
  };
  return { sheet, head };
}

function isControl(target: EventTarget): boolean {
  return target instanceof Element && target.closest("a, button, input, textarea") !== null;
}
