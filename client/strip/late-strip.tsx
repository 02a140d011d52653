import { type ComponentType, startTransition, useEffect, useState } from "react";
import { useView } from "../action/view.ts";
import { whenIdle } from "../browser/when-idle.ts";
import { whenUsed } from "../browser/when-used.ts";
import { useSync } from "../connection.ts";

/**
 * The strip, whose code is fetched when the page is used, and at once while a result of the viewer may come. None is missed:
 * what to tell follows from the state of the screen. If the code cannot be fetched, the next change of the connection tries again.
 */
export function LateStrip() {
  const [Strip, setStrip] = useState<ComponentType | null>(null);
  const sync = useSync();
  const waits = useView().state.events.some(
    ({ state, myCalls }) => state !== "resolved" && myCalls.length > 0,
  );
  useEffect(() => {
    const load = waits ? whenIdle : whenUsed;
    load(() => {
      import("./strip.tsx").then(
        (module) => startTransition(() => setStrip(() => module.Strip)),
        () => undefined,
      );
    });
  }, [sync, waits]);
  return Strip === null ? null : <Strip />;
}
