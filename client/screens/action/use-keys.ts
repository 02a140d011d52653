import { useEffect, useLayoutEffect, useRef } from "react";
import { keyOf } from "#client/base/browser/key-of.ts";
import { areShortcutKeysOn } from "#client/base/browser/shortcut-keys.ts";

export type KeyActions = {
  focusSide: (side: "true" | "false") => void;
  stepWager: (direction: 1 | -1) => void;
  cancel: () => void;
  undo: () => void;
  help: () => void;
};

/**
 * Keyboard shortcuts: 1 and 2 choose a side, Backspace cancels, Ctrl+Z undoes that, ? opens help. On the sides and in the amount row
 * left and right choose a side, and up and down change the wager; elsewhere arrows scroll. A key that is held down acts once. Where
 * single keys are switched off on the device, the arrows and Ctrl+Z remain. On other layouts keys count by their place.
 */
export function useKeys(actions: KeyActions): void {
  const latest = useRef(actions);
  // Before anybody can press what is shown now.
  useLayoutEffect(() => {
    latest.current = actions;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const run = bindingOf(event);
      if (run === undefined || isUsedElsewhere(event)) return;
      event.preventDefault();
      if (!event.repeat) run(latest.current);
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
}

type Binding = (actions: KeyActions) => void;

const bindings: Record<string, Binding> = {
  "1": ({ focusSide }) => focusSide("true"),
  ArrowLeft: ({ focusSide }) => focusSide("true"),
  "2": ({ focusSide }) => focusSide("false"),
  ArrowRight: ({ focusSide }) => focusSide("false"),
  ArrowUp: ({ stepWager }) => stepWager(1),
  ArrowDown: ({ stepWager }) => stepWager(-1),
  Backspace: ({ cancel }) => cancel(),
  "?": ({ help }) => help(),
};

function bindingOf(press: KeyboardEvent): Binding | undefined {
  const { ctrlKey, metaKey, altKey, shiftKey } = press;
  if (altKey) return undefined;
  const key = keyOf(press, (name) => name in bindings);
  if (!ctrlKey && !metaKey) return key.startsWith("Arrow") || areShortcutKeysOn() ? bindings[key] : undefined;
  return key === "z" && !shiftKey ? ({ undo }) => undo() : undefined;
}

/**
 * True where keys have their usual meaning: in a field, an open dialog or menu, or a scrolling log. Arrows scroll everywhere but on
 * the sides and in the amount row, where what they change is in sight.
 */
function isUsedElsewhere({ key, target }: KeyboardEvent): boolean {
  if (!(target instanceof Element)) return true;
  if (key.startsWith("Arrow") && target.closest("[role=radiogroup], .stepper, .amounts") === null)
    return true;
  // Up and down mean nothing in the field of the amount, so they change it.
  if (target.closest(".stepper") !== null && (key === "ArrowUp" || key === "ArrowDown")) return false;
  return target.closest("input, textarea, select, [role=dialog], dialog, [role=log]") !== null;
}
