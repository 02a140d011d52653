import { type RefObject, useEffect, useRef } from "react";
import { useLocation } from "react-router";

/** Closes a popover when the page changes. @returns the ref of the popover. */
export function useClosingSheet(): RefObject<HTMLDivElement | null> {
  const sheet = useRef<HTMLDivElement>(null);
  const { key } = useLocation();
  useEffect(() => {
    if ("hidePopover" in HTMLElement.prototype) sheet.current?.hidePopover();
  }, [key]);
  return sheet;
}
