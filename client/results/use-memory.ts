import { useCallback, useEffect, useState } from "react";
import { useRouteLoaderData } from "react-router";
import { useViewer } from "../base/page/context.ts";
import type { FrameData } from "../base/page/load-frame.ts";
import { useView } from "../events/view.ts";
import type { News } from "./collect-news.ts";
import { followMemory, type Memory, newestOf, recall, store } from "./memory.ts";
import { firstMemory, withShown } from "./remember.ts";

/** What this device has shown of the session, and how to add to it. On its first visit all that the page came with counts as shown. */
export function useMemory(): { memory: Memory; remember: (news: readonly News[]) => void } {
  const { data, state } = useView();
  const viewerId = useViewer()?.id ?? 0;
  const sessionId = state.session.id;
  const loaded = useRouteLoaderData<FrameData>("app")?.notifications?.notifications ?? [];
  const [memory, setMemory] = useState(
    () => recall({ viewerId, sessionId }) ?? firstMemory(data.events, newestOf(loaded)),
  );
  useEffect(() => {
    // A reload is no first visit.
    const of = { viewerId, sessionId };
    if (recall(of) === null) store(of, memory);
  }, [viewerId, sessionId, memory]);
  useEffect(
    () =>
      followMemory(() => {
        const stored = recall({ viewerId, sessionId });
        if (stored !== null) setMemory(stored);
      }),
    [viewerId, sessionId],
  );
  const remember = useCallback(
    (news: readonly News[]) =>
      setMemory((known) => {
        const next = withShown(known, news);
        store({ viewerId, sessionId }, next);
        return next;
      }),
    [viewerId, sessionId],
  );
  return { memory, remember };
}
