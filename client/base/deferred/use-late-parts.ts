import { startTransition, useEffect, useState } from "react";

/** Parts of a screen whose code is fetched when it is needed. @param load always the same function; null: not needed now. */
export function useLateParts<Parts>(load: (() => Promise<Parts>) | null): Parts | null {
  const [parts, setParts] = useState<Parts | null>(null);
  useEffect(() => {
    // Without an answer the next screen tries again.
    load?.().then(
      // As a transition React renders them in slices, so that a touch meanwhile does not wait for all of them.
      (loaded) => startTransition(() => setParts(() => loaded)),
      () => undefined,
    );
  }, [load]);
  return parts;
}

/** Makes the hook of parts whose code is fetched once they are enabled. It returns null until that has arrived. */
export function partsOf<Parts>(load: () => Promise<Parts>) {
  return ({ enabled }: { enabled: boolean }) => useLateParts(enabled ? load : null);
}
