import { useEffect, useEffectEvent } from "react";
import type { CallView } from "#src/play/calls/schemas.ts";
import { createSignal } from "../base/browser/store.ts";
import { useViewer } from "../base/page/context.ts";

/** A call of the viewer, as a message shows it. */
export type OwnCall = {
  call: CallView;
  /** The server's time of the message. */
  serverTime: string;
  /** Only in the message about its placing: the key of the request. */
  idempotencyKey?: string;
};

/** Messages that came while a screen's data was on its way are not in that data. */
const REPLAYED_MS = 10_000;
const REPLAYED_MAX = 100;

const changed = createSignal<OwnCall>();
/** The newest message about each call, oldest first. */
const recent = new Map<number, OwnCall & { receivedAtMs: number }>();

/** Reports a call of the viewer that was placed, taken back, closed or resolved to the whole page. */
export function announceCall(own: OwnCall): void {
  recent.delete(own.call.id);
  recent.set(own.call.id, { ...own, receivedAtMs: performance.now() });
  for (const id of recent.keys()) if (recent.size > REPLAYED_MAX) recent.delete(id);
  changed.tell(own);
}

/**
 * Calls `onCall` with each of the viewer's calls that is placed, taken back, closed or resolved, on any device. A screen that
 * has just opened also gets those of the last seconds, which its data may lack. The same call may come several times.
 */
export function useOwnCalls(onCall: (own: OwnCall) => void): void {
  const viewerId = useViewer()?.id;
  const hear = useEffectEvent(onCall);
  useEffect(() => {
    for (const own of recent.values()) {
      const isRecent = performance.now() - own.receivedAtMs < REPLAYED_MS;
      if (isRecent && own.call.userId === viewerId) hear(own);
    }
    return changed.listen((own) => hear(own));
  }, [viewerId]);
}
