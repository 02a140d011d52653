import { type ComponentType, startTransition, useEffect, useState } from "react";
import { whenIdle } from "../base/browser/when-idle.ts";
import { useSync } from "../base/live/connection.ts";
import { fetchLate } from "../base/live/late-code.ts";
import { whenUsed } from "../base/live/when-used.ts";
import { useView } from "../events/view.ts";

/**
 * The result bar, whose code is fetched when the page is used, and at once while a result of the viewer may come. None is missed:
 * what to announce follows from the state of the screen. If the code cannot be fetched, the next change of the connection tries again.
 */
export function LateResultBar() {
  const [ResultBar, setBar] = useState<ComponentType | null>(null);
  const sync = useSync();
  const waits = useView().state.events.some(
    ({ state, myCalls }) => state !== "resolved" && myCalls.length > 0,
  );
  useEffect(() => {
    const load = waits ? whenIdle : whenUsed;
    load(() => {
      fetchLate(() => import("./result-bar.tsx")).then(
        (module) => startTransition(() => setBar(() => module.ResultBar)),
        () => undefined,
      );
    });
  }, [sync, waits]);
  return ResultBar === null ? null : <ResultBar />;
}
