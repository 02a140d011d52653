import { useCallback, useState } from "react";
import type { CallView } from "#src/calls/schemas.ts";

const UNDO_MS = 5_000;

/** The call that was just taken back. For 5 s it is offered to be placed again. */
export function useTakenBack() {
  const [takenBack, setTakenBack] = useState<CallView | null>(null);
  const withdraw = useCallback(() => setTakenBack(null), []);
  const offer = useCallback((call: CallView) => {
    setTakenBack(call);
    setTimeout(() => setTakenBack((now) => (now === call ? null : now)), UNDO_MS);
  }, []);
  return { takenBack, offer, withdraw };
}
