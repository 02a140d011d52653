import { useCallback, useEffect, useRef, useState } from "react";

/** Two presses this close are one: the second is the end of a double click, or of a finger that trembles. */
const REST_MS = 1_000;

/**
 * A moment in which a control takes no further press.
 * @returns `begin` starts it, and `end` ends it before its time; `isResting` is for what is shown, and `isOn` for the press itself,
 *   which may come before the render.
 */
export function useRest() {
  const [isResting, setResting] = useState(false);
  const untilMs = useRef(0);
  useEffect(() => {
    if (!isResting) return;
    const timer = setTimeout(() => setResting(false), REST_MS);
    return () => clearTimeout(timer);
  }, [isResting]);
  const begin = useCallback(() => {
    untilMs.current = performance.now() + REST_MS;
    setResting(true);
  }, []);
  const end = useCallback(() => {
    untilMs.current = 0;
    setResting(false);
  }, []);
  const isOn = useCallback(() => performance.now() < untilMs.current, []);
  return { isResting, begin, end, isOn };
}
