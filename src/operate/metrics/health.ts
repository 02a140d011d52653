import { Elysia } from "elysia";
import type { Deps } from "#src/base/deps.ts";
import { lockCounts } from "#src/base/lock-counts.ts";
import { serverNow } from "#src/base/server-clock.ts";
import type { Draining } from "#src/http/draining.ts";
import { createReadinessCheck } from "./check-readiness.ts";
import { isObserver } from "./require-observer.ts";

const RETRY_AFTER_S = 2;

/**
 * GET /up: the process is alive; pages set their clocks by the time in the answer. GET /ready: this process should get requests;
 * otherwise 503 with the reason, or because the process is leaving. What is degraded does not make it 503: it is in the answer.
 * Observers also read the cures and details, the state of each part, the lock counts of this process, and warnings about the settings, which
 * refuse nothing.
 */
export function healthRoutes(deps: Deps, draining: Draining) {
  const checkReadiness = createReadinessCheck(deps);
  return new Elysia({ name: "health" })
    .get("/up", () => ({ up: true, serverTime: serverNow().toISOString() }))
    .get("/ready", async ({ request }) => {
      const [{ parts, unready, degraded, warnings }, observes] = await Promise.all([
        checkReadiness(),
        // While the database is away, nobody is known who is signed in.
        isObserver(deps, request).catch(() => false),
      ]);
      const leaving = draining.ending === "leaving";
      const ready = !leaving && unready.length === 0;
      const reason = unready.length === 0 ? null : unready.map(({ what }) => what).join(", ");
      const status = { ready, leaving, reason, degraded: degraded.map(({ what }) => ({ what })) };
      return Response.json(
        observes
          ? {
              ...status,
              degraded: degraded.map(({ part: _part, ...wrong }) => wrong),
              parts,
              warnings,
              locks: lockCounts(deps.redis),
            }
          : status,
        {
          status: ready ? 200 : 503,
          headers: ready ? {} : { "retry-after": String(RETRY_AFTER_S) },
        },
      );
    });
}
