import { useEffect, useRef } from "react";

export type KeyActions = {
  focusSide: (side: "true" | "false") => void;
  stepWager: (direction: 1 | -1) => void;
  cancel: () => void;
  help: () => void;
};

/** Keyboard shortcuts: 1/left and 2/right choose a side, up and down change the wager, Backspace cancels, ? opens help. */
export function useKeys(actions: KeyActions): void {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
      const run = bindings[event.key];
      if (run === undefined) return;
      event.preventDefault();
      run(latest.current);
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
}

const bindings: Record<string, (actions: KeyActions) => void> = {
  "1": ({ focusSide }) => focusSide("true"),
  ArrowLeft: ({ focusSide }) => focusSide("true"),
  "2": ({ focusSide }) => focusSide("false"),
  ArrowRight: ({ focusSide }) => focusSide("false"),
  ArrowUp: ({ stepWager }) => stepWager(1),
  ArrowDown: ({ stepWager }) => stepWager(-1),
  Backspace: ({ cancel }) => cancel(),
  "?": ({ help }) => help(),
};

/** True where keys have their usual meaning: in a field, an open dialog or menu, or a scrolling log. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest("input, textarea, select, [role=dialog], dialog, [role=log]") !== null
  );
}
