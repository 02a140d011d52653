import type { Deps } from "#src/base/deps.ts";
import type { Hub } from "#src/live/cable/hub.ts";
import type { Env } from "#src/settings/env.ts";
import { answerMetrics } from "./metrics.ts";
import { createProcessMetrics } from "./process-metrics.ts";
import { hasMetricsToken } from "./require-observer.ts";

// Decision: a process finds its port by its name. So all of a machine have the same settings, however they are started.

/** Serves the metrics of this process at its port. One that is taken is only logged. @param name web, web-1, ... or worker. @param hub of a web process. */
export function serveMetrics(
  deps: Deps,
  name: string,
  hub: Hub | null = null,
): { stop: () => Promise<void> } {
  const { env, log } = deps;
  const metricsPort = metricsPortOf(env, name);
  if (metricsPort === null) {
    if (env.metricsPort !== null) log.error("the metrics are not served: name the process, such as web-1");
    return { stop: () => Promise.resolve() };
  }
  const metrics = createProcessMetrics(deps, hub);
  try {
    const server = Bun.serve({
      port: metricsPort,
      hostname: env.host,
      // A web process that replaces this one starts before this one ends.
      reusePort: process.platform === "linux",
      fetch: (request) => {
        const isMetrics = request.method === "GET" && URL.parse(request.url)?.pathname === "/metrics";
        if (!isMetrics || !hasMetricsToken(env, request)) return new Response(null, { status: 404 });
        return answerMetrics(metrics);
      },
    });
    return { stop: () => server.stop(true) };
  } catch (error) {
    log.error({ err: error, metricsPort }, "the metrics are not served");
    return { stop: () => Promise.resolve() };
  }
}

/** METRICS_PORT for the first web process, one more for each further one, then the worker. Null: none is set, or another process would have the same. */
export function metricsPortOf(
  { metricsPort: first, webConcurrency }: Pick<Env, "metricsPort" | "webConcurrency">,
  name: string,
): number | null {
  if (first === null) return null;
  if (name === "worker") return first + webConcurrency;
  const number = /^web-(?<number>\d+)$/.exec(name)?.groups?.["number"];
  if (number !== undefined) return first + Number(number) - 1;
  return webConcurrency === 1 ? first : null;
}
