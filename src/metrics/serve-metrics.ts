import type { Deps } from "#src/base/deps.ts";
import type { Hub } from "#src/cable/hub.ts";
import { createProcessMetrics } from "./process-metrics.ts";
import { hasMetricsToken } from "./require-observer.ts";
import { answerMetrics } from "./routes.ts";

/**
 * Serves the metrics of this process at METRICS_PORT, if it is set, to programs that send METRICS_TOKEN. A port that is taken is
 * only logged: the product works without.
 */
export function serveMetrics(deps: Deps, hub: Hub | null = null): { stop: () => Promise<void> } {
  const { metricsPort, host } = deps.env;
  if (metricsPort === null) return { stop: () => Promise.resolve() };
  const metrics = createProcessMetrics(deps, hub);
  try {
    const server = Bun.serve({
      port: metricsPort,
      hostname: host,
      // A web process that replaces this one starts before this one ends.
      reusePort: process.platform === "linux",
      fetch: (request) => {
        const isMetrics = request.method === "GET" && new URL(request.url).pathname === "/metrics";
        if (!isMetrics || !hasMetricsToken(deps.env, request)) return new Response(null, { status: 404 });
        return answerMetrics(metrics);
      },
    });
    return { stop: () => server.stop(true) };
  } catch (error) {
    deps.log.error({ err: error, metricsPort }, "the metrics are not served");
    return { stop: () => Promise.resolve() };
  }
}
