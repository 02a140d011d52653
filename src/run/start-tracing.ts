import type { Service } from "#src/base/service-watch.ts";
import { setTracing } from "#src/base/spans.ts";
import type { Env } from "#src/settings/env.ts";

/**
 * Starts to trace, if the settings name a collector. Otherwise nothing of OpenTelemetry is loaded.
 * @param name of the process: "web-1", "worker".
 * @returns stop: sends what was recorded.
 */
export async function startTracing(
  { tracing }: Env,
  name: string,
): Promise<{ collector?: Service; stop: () => Promise<void> }> {
  if (tracing === null) return { stop: () => Promise.resolve() };
  const { createTracer, createSpanExporter } = await import("./tracer.ts");
  const exporter = createSpanExporter();
  const tracer = createTracer(tracing, { process: name, exporter });
  setTracing(tracer);
  return {
    collector: exporter,
    stop: async () => {
      setTracing(null);
      // A collector that is away keeps no process alive.
      await tracer.shutdown().catch(() => undefined);
    },
  };
}
