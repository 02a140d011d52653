import { useEffect, useRef } from "react";
import type { CallView } from "#src/play/calls/schemas.ts";
import { useViewer } from "../base/page/context.ts";

/** Events on `window` about the viewer's calls, with a message's detail: `{ call, ... }`. balance:update is the wallet's. */
export const CALL_PLACE = "call:place";
export const CALL_CANCEL = "call:cancel";
export const CALL_CLOSE = "call:close";
export const CALL_RESOLVE = "call:resolve";
const names = [CALL_PLACE, CALL_CANCEL, CALL_CLOSE, CALL_RESOLVE] as const;
type OwnCallEvent = (typeof names)[number];

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

/** The newest message about each call, oldest first. */
const recent = new Map<number, OwnCall & { receivedAtMs: number }>();

/** Reports a changed call of the viewer to the whole page. */
export function announceCall(name: OwnCallEvent, detail: OwnCall): void {
  recent.delete(detail.call.id);
  recent.set(detail.call.id, { ...detail, receivedAtMs: performance.now() });
  for (const id of recent.keys()) if (recent.size > REPLAYED_MAX) recent.delete(id);
  globalThis.dispatchEvent(new CustomEvent(name, { detail }));
}

/**
 * Calls `onCall` with each of the viewer's calls that is placed, taken back, closed or resolved, on any device. A screen that
 * has just opened also gets those of the last seconds, which its data may lack. The same call may come several times.
 */
export function useOwnCalls(onCall: (own: OwnCall) => void): void {
  const viewerId = useViewer()?.id;
  const latest = useRef(onCall);
  useEffect(() => {
    latest.current = onCall;
  });
  useEffect(() => {
    const onEvent = (event: Event) => {
      if (event instanceof CustomEvent) latest.current(detailOf(event));
    };
    for (const own of recent.values()) {
      const isRecent = performance.now() - own.receivedAtMs < REPLAYED_MS;
      if (isRecent && own.call.userId === viewerId) latest.current(own);
    }
    for (const name of names) globalThis.addEventListener(name, onEvent);
    return () => {
      for (const name of names) globalThis.removeEventListener(name, onEvent);
    };
  }, [viewerId]);
}

function detailOf(event: CustomEvent<OwnCall>): OwnCall {
  return event.detail;
}
