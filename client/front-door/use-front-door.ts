import { useCallback, useEffect, useState } from "react";
import type { FrontDoor } from "#src/show/front-door/schemas.ts";
import { keepMeasuringServerTime } from "../base/live/clock.ts";
import { usePolling } from "../base/live/use-polling.ts";
import { useApi } from "../base/page/context.ts";

const LIVE_EVERY_MS = 3_000;
const QUIET_EVERY_MS = 15_000;

/** The front door as it is now: the one that came with the page, and while it is visible every newer one. */
export function useFrontDoor(loaded: FrontDoor): FrontDoor {
  const api = useApi();
  const [fetched, setFetched] = useState<FrontDoor | null>(null);
  const door = fetched !== null && fetched.serverTime > loaded.serverTime ? fetched : loaded;
  const poll = useCallback(() => {
    api.get("/api/v1/front_door").then(
      ({ frontDoor }) => setFetched(frontDoor),
      // Without an answer the next poll asks again.
      () => undefined,
    );
  }, [api]);
  const everyMs = door.live === null ? QUIET_EVERY_MS : LIVE_EVERY_MS;
  usePolling(poll, { everyMs, enabled: true, whenVisible: true });
  useEffect(() => keepMeasuringServerTime(() => undefined), []);
  return door;
}
