import { Elysia } from "elysia";
import type { Deps } from "#src/base/deps.ts";
import { readVersion } from "#src/base/read-version.ts";
import { Refusal } from "#src/base/refusal.ts";
import type { Hub } from "#src/live/cable/hub.ts";
import { createProcessMetrics, type ProcessMetrics } from "./process-metrics.ts";
import { isObserver, requireObserver } from "./require-observer.ts";

// Decision: everybody may read the release, which a rolling upgrade and a report of a bug need. The commit, the schema and the version
// of Bun would say which known weaknesses to try, so they are for observers.

/** GET /metrics: what Prometheus reads of this process. GET /version: what is running. Neither is logged. */
export function metricsRoutes(deps: Deps, hub: Hub) {
  let metrics: ProcessMetrics | null = null;
  return new Elysia({ name: "metrics" })
    .get("/metrics", async ({ request }) => {
      await requireObserver(deps, request);
      if (deps.env.webConcurrency > 1) throw sharedPort();
      metrics ??= createProcessMetrics(deps, hub);
      return answerMetrics(metrics);
    })
    .get("/version", async ({ request }) => {
      const version = readVersion(deps.env);
      // The release is known while the database is away.
      const all = await isObserver(deps, request).catch(() => false);
      return all ? version : { release: version.release };
    });
}

export async function answerMetrics(metrics: ProcessMetrics): Promise<Response> {
  return new Response(await metrics.read(), { headers: { "content-type": metrics.contentType } });
}

/** Each scrape would reach another process. */
function sharedPort(): Refusal {
  return new Refusal(409, "shared_port", "Several processes share this port.", {
    detail: "Set METRICS_PORT, and read each process at a port of its own from there on.",
  });
}
