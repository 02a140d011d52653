import { convertLegacyHttpOptions } from "@opentelemetry/otlp-exporter-base/node-http";
import { JsonTraceSerializer } from "@opentelemetry/otlp-transformer";
import type { ReadableSpan, SpanExporter } from "@opentelemetry/sdk-trace";
import type { Logger } from "pino";
import { explainError } from "#src/base/describe-error.ts";
import { requestOutside } from "#src/http/outside/request-outside.ts";

// Decision: the libraries of OpenTelemetry read the settings of the exporter and write what is sent; the product's own request sends it.
// The library's transport has no deadline for a collector that answers a little all the time. What was not taken is lost: it is about
// the past, and the processor keeps no more than 2,048 spans.

type ExporterSettings = Parameters<typeof convertLegacyHttpOptions>[0];

/**
 * @param settings those that OTEL_EXPORTER_OTLP_* does not decide.
 * @returns what sends spans to the collector. It logs once when the collector takes none, and when it takes them again.
 */
export function createSpanExporter(log: Logger, settings: ExporterSettings = {}): SpanExporter {
  const contentType = { "Content-Type": "application/json" };
  const options = convertLegacyHttpOptions(settings, "TRACES", "v1/traces", contentType);
  const agent = Promise.resolve(options.agentFactory(new URL(options.url).protocol));
  let isTaken = true;
  const send = async (spans: ReadableSpan[]) => {
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
  const report = (error: unknown) => {
    if (error === null && !isTaken) log.info("the collector takes traces again");
    if (error !== null && isTaken)
      log.warn(`The collector at OTEL_EXPORTER_OTLP_ENDPOINT takes no traces. ${explainError(error)}`);
    isTaken = error === null;
  };
  return {
    export: (spans, tell) => {
      send(spans).then(
        () => {
          report(null);
          tell({ code: TAKEN });
        },
        (error: unknown) => {
          report(error);
          tell({ code: LOST, ...(error instanceof Error && { error }) });
        },
      );
    },
    shutdown: () => Promise.resolve(),
  };
}

/** The codes of an export, as OpenTelemetry's ExportResultCode has them. */
const TAKEN = 0;
const LOST = 1;
