import { useEffect, useEffectEvent } from "react";

/** Does something once `since` has been the same for so long. @param since null or false: nothing. */
export function useAfter(ms: number, since: unknown, act: () => void): void {
  const latest = useEffectEvent(act);
  useEffect(() => {
    if (since === null || since === false) return;
    const timer = setTimeout(() => latest(), ms);
    return () => clearTimeout(timer);
  }, [since, ms]);
}
