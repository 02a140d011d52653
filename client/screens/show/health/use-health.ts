import { useCallback, useEffect, useRef, useState } from "react";
import { usePolling } from "#client/base/live/use-polling.ts";
import { useApi } from "#client/base/page/context.ts";
import { sessionPath } from "#client/sessions/load-session.ts";
import type { HealthView } from "#src/operate/health/schemas.ts";
import { useShow } from "../show-context.ts";

const ASK_EVERY_MS = 3_000;
/** Nothing of a stopped session is urgent. */
const ASK_WHEN_OVER_MS = 15_000;
const ANSWER_WITHIN_MS = 5_000;

/** The newest answer, and whether a later question got none. */
export type Health = { view: HealthView | null; answeredAt: string | null; failing: boolean };

const unknown: Health = { view: null, answeredAt: null, failing: false };

/**
 * What the show runs on, and how the calls arrive of the event that results are given to, else of the one on the stage: asked
 * again every 3 s while the page is visible.
 */
export function useHealth(): Health {
  const { session, arming } = useShow();
  const api = useApi();
  const [health, setHealth] = useState(unknown);
  // Of an event that has not opened there is nothing to show: the server then answers for the one that is open.
  const { target } = arming;
  const eventId = target === null || target.openedAt === null ? null : target.id;
  const { slug, state } = session;
  /** The number of the newest question: an older answer that arrives later changes nothing. */
  const asked = useRef(0);
  const ask = useCallback(() => {
    asked.current += 1;
    const own = asked.current;
    const options = {
      query: { eventId },
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    };
    api.get(`${sessionPath(slug)}/health`, options).then(
      ({ health: view, meta }) => {
        if (own === asked.current) setHealth({ view, answeredAt: meta.serverTime, failing: false });
      },
      () => {
        if (own === asked.current) setHealth((last) => ({ ...last, failing: true }));
      },
    );
  }, [api, slug, eventId]);
  useEffect(() => {
    ask();
    return () => {
      asked.current += 1;
    };
    // The state: what has just closed is judged at once.
  }, [ask, target?.state]);
  const everyMs = state === "stopped" ? ASK_WHEN_OVER_MS : ASK_EVERY_MS;
  usePolling(ask, { everyMs, enabled: true, whenVisible: true });
  return health;
}
