import { useEffect, useRef } from "react";

export type KeyActions = {
  focusSide: (side: "true" | "false") => void;
  stepWager: (direction: 1 | -1) => void;
  cancel: () => void;
  help: () => void;
};

/** Keys of the game: 1 or left, 2 or right choose a side, up and down the wager, Backspace takes back, ? helps. */
export function useKeys(actions: KeyActions): void {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
      const act = bindings[event.key];
      if (act === undefined) return;
      event.preventDefault();
      act(latest.current);
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

/** Keys mean themselves in a field, in an open dialog or menu, and where one scrolls. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest("input, textarea, select, [role=dialog], dialog, [role=log]") !== null
  );
}
