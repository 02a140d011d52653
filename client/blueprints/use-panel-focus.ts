import { useEffect, useRef } from "react";

/** A panel that is opened takes the focus to its title; closed, it goes back to the row that it was about. */
export function usePanelFocus(panel: string): void {
  const before = useRef(panel);
  useEffect(() => {
    const closed = before.current;
    if (closed === panel) return;
    before.current = panel;
    const target =
      panel === "" ? `#event-${CSS.escape(closed)} .question a` : ".editor-panel:not([hidden]) h2";
    document.querySelector<HTMLElement>(target)?.focus();
  }, [panel]);
}
