import { convertLegacyHttpOptions } from "@opentelemetry/otlp-exporter-base/node-http";
import { JsonTraceSerializer } from "@opentelemetry/otlp-transformer";
import type { ReadableSpan, SpanExporter } from "@opentelemetry/sdk-trace";
import { keepTrying, type Service, watchService } from "#src/base/service-watch.ts";
import { requestOutside } from "#src/http/outside/request-outside.ts";

// Decision: the libraries of OpenTelemetry read the settings of the exporter and write what is sent; the product's own request sends it.
// The library's transport has no deadline for a collector that answers a little all the time. What was not taken is lost: it is about
// the past, and the processor keeps no more than 2,048 spans.

/** An idle process sends nothing by which it could see that the collector takes traces again. */
const TRIED_AGAIN_MS = 4_000;

type ExporterSettings = Parameters<typeof convertLegacyHttpOptions>[0];

/**
 * @param settings those that OTEL_EXPORTER_OTLP_* does not decide.
 * @returns what sends spans to the collector, and knows whether it takes them.
 */
export function createSpanExporter(settings: ExporterSettings = {}): SpanExporter & Service {
  const contentType = { "Content-Type": "application/json" };
  const options = convertLegacyHttpOptions(settings, "TRACES", "v1/traces", contentType);
  const agent = Promise.resolve(options.agentFactory(new URL(options.url).protocol));
  const watch = watchService();
  const post = async (spans: ReadableSpan[]) => {
    const { url, compression, timeoutMillis: timeoutMs } = options;
    const bytes = JsonTraceSerializer.serializeRequest(spans) ?? new Uint8Array();
    const isPacked = compression === "gzip";
    const headers = { ...(await options.headers()), ...(isPacked && { "content-encoding": "gzip" }) };
    const body = isPacked ? Bun.gzipSync(new Uint8Array(bytes)) : bytes;
    const how = { publicOnly: false, timeoutMs, agent: await agent };
    const { status, headers: said } = await requestOutside({ url, method: "POST", headers, body }, how);
    if (status < 200 || status > 299) throw new Error(`It answers ${status}.`);
    if (said["content-type"]?.startsWith("text/html") === true)
      throw new Error("It answers with a web page.");
  };
  const send = (spans: ReadableSpan[]) => watch.observe("send", () => post(spans));
  return {
    export: (spans, tell) => {
      send(spans).then(
        () => tell({ code: TAKEN }),
        (error: unknown) => tell({ code: LOST, ...(error instanceof Error && { error }) }),
      );
    },
    check: () => send([]),
    trouble: keepTrying(watch, () => void send([]).catch(() => undefined), {
      well: Infinity,
      wrong: TRIED_AGAIN_MS,
    }),
    shutdown: () => Promise.resolve(),
  };
}

/** The codes of an export, as OpenTelemetry's ExportResultCode has them. */
const TAKEN = 0;
const LOST = 1;
