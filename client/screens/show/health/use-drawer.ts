import { type KeyboardEvent, type RefObject, useCallback, useEffect, useRef, useState } from "react";

/** The right column where it is not beside the others: a drawer that a button opens. */
export type Drawer = {
  isOpen: boolean;
  toggle: () => void;
  column: RefObject<HTMLElement | null>;
  button: RefObject<HTMLButtonElement | null>;
  /** Escape closes it, and the focus returns to its button. */
  onKeyDown: (event: KeyboardEvent) => void;
};

export function useDrawer(): Drawer {
  const [isOpen, setIsOpen] = useState(false);
  const column = useRef<HTMLElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isOpen) column.current?.focus();
  }, [isOpen]);
  const toggle = useCallback(() => setIsOpen((open) => !open), []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !isOpen) return;
    event.stopPropagation();
    setIsOpen(false);
    button.current?.focus();
  };
  return { isOpen, toggle, column, button, onKeyDown };
}
