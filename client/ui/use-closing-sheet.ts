import { type RefObject, useEffect, useRef } from "react";
import { useLocation } from "react-router";

/** Closes a popover when the page changes, unless it was opened before the scripts ran. @returns the ref of the popover. */
export function useClosingSheet(): RefObject<HTMLDivElement | null> {
  const sheet = useRef<HTMLDivElement>(null);
  const { key } = useLocation();
  const openedOn = useRef(key);
  useEffect(() => {
    if (key === openedOn.current) return;
    openedOn.current = key;
    if ("hidePopover" in HTMLElement.prototype) sheet.current?.hidePopover();
  }, [key]);
  return sheet;
}
