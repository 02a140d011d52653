import { type PointerEvent, useRef } from "react";

/** A sheet that is pulled down this far, in pixels, or thrown this fast, in pixels a millisecond, closes. */
const CLOSES_FROM_PX = 96;
const CLOSES_FROM_SPEED = 0.6;

type Drag = { startY: number; startMs: number };

/**
 * Lets a finger or a mouse pull a sheet down by its head.
 * @param onClose called when it was pulled far or fast enough; otherwise the sheet moves back.
 * @returns the ref of the sheet, which follows the pointer, and the handlers of its head. Its buttons and links stay usable.
 */
export function useDragDown(onClose: () => void) {
  const sheet = useRef<HTMLDivElement>(null);
  const drag = useRef<Drag | null>(null);
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
