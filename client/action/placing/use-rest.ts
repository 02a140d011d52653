import { useCallback, useRef, useState } from "react";

/** Two presses this close are one: the second is the end of a double click, or of a finger that trembles. */
const REST_MS = 1_000;

/**
 * A moment in which a control takes no further press.
 * @returns `begin` starts it, and `end` ends it before its time; `isResting` is for what is shown, and `isOn` for the press itself, which may come before the render.
 */
export function useRest() {
  const [isResting, setResting] = useState(false);
  const until = useRef(0);
  const begin = useCallback(() => {
    const endMs = performance.now() + REST_MS;
    until.current = endMs;
    setResting(true);
    setTimeout(() => {
      if (until.current === endMs) setResting(false);
    }, REST_MS);
  }, []);
  const end = useCallback(() => {
    until.current = 0;
    setResting(false);
  }, []);
  const isOn = useCallback(() => performance.now() < until.current, []);
  return { isResting, begin, end, isOn };
}
