import { whenIdle } from "#client/base/browser/when-idle.ts";
import { partsOf } from "#client/base/deferred/use-late-parts.ts";
import { fetchLate } from "#client/base/live/late-code.ts";

/** What is to be done before a session starts. @returns null where it has begun, and until the code has arrived. */
export const useWaitingParts = partsOf(async () => {
  await new Promise<void>(whenIdle);
  return (await fetchLate(() => import("./waiting-room.tsx"))).waitingParts;
});
