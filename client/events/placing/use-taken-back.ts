import { useCallback, useEffect, useState } from "react";
import type { CallView } from "#src/play/calls/schemas.ts";

const UNDO_MS = 5_000;

/** The call that was just taken back. For 5 s it is offered to be placed again. */
export function useTakenBack() {
  const [takenBack, setTakenBack] = useState<CallView | null>(null);
  useEffect(() => {
    if (takenBack === null) return;
    const timer = setTimeout(() => setTakenBack(null), UNDO_MS);
    return () => clearTimeout(timer);
  }, [takenBack]);
  const withdraw = useCallback(() => setTakenBack(null), []);
  return { takenBack, offer: setTakenBack, withdraw };
}
