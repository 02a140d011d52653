import { type Context, type Link, ROOT_CONTEXT, type Span, SpanKind, trace } from "@opentelemetry/api";
import { convertLegacyHttpOptions } from "@opentelemetry/otlp-exporter-base/node-http";
import { JsonTraceSerializer } from "@opentelemetry/otlp-transformer";
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type ReadableSpan,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { keepTrying, type Service, watchService } from "#src/base/service-watch.ts";
import type { SpanDetails, Tracing } from "#src/base/spans.ts";
import { requestOutside } from "#src/http/outside/request-outside.ts";
import type { TracingSettings } from "#src/settings/settings.ts";

// Decision: src/settings/env.ts reads whether a collector is named, and the sampler, which the SDK leaves to its caller. The exporter
// and the resource read their own standard variables (OTEL_EXPORTER_OTLP_*, OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES).
// Without bullmq-otel: it needs a global context manager, and carries no request id where nothing is traced.

const SERVICE = "called-it";
/** A stop waits this long for the collector. */
const STOP_WITHIN_MS = 2_000;
const EXPORT_EVERY_MS = 1_500;

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER };

/** Creates what starts spans and sends them to the collector, by OTLP over HTTP. */
export function createTracer(
  settings: TracingSettings,
  { process, exporter }: { process: string; exporter: SpanExporter },
): Tracing & { shutdown: () => Promise<void> } {
  const resource = defaultResource()
    .merge(resourceFromAttributes({ "service.name": SERVICE, "service.instance.id": process }))
    .merge(detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] }));
  const processor = new BatchSpanProcessor({
    exporter,
    scheduledDelayMillis: EXPORT_EVERY_MS,
  });
  const provider = new TracerProvider({
    resource,
    sampler: samplerOf(settings),
    spanProcessors: [processor],
  });
  const tracer = provider.getTracer(SERVICE);
  return {
    start: (name, { kind, attributes = {}, parent, links = [] }, current) =>
      tracer.startSpan(
        name,
        {
          kind: kind === undefined ? SpanKind.INTERNAL : kinds[kind],
          attributes,
          links: links.flatMap((each) => linkTo(each) ?? []),
        },
        contextOf(parent, current),
      ),
    shutdown: async () => {
      await Promise.race([provider.shutdown(), Bun.sleep(STOP_WITHIN_MS)]);
    },
  };
}

function contextOf(parent: SpanDetails["parent"], current: Span | null): Context {
  const remote = typeof parent === "string" ? spanContextIn(parent) : null;
  if (remote !== null) return trace.setSpanContext(ROOT_CONTEXT, remote);
  return current === null ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, current);
}

function linkTo(each: Span | string): Link | null {
  const context = typeof each === "string" ? spanContextIn(each) : each.spanContext();
  return context === null ? null : { context };
}

function spanContextIn(traceparent: string) {
  const [, traceId, spanId, flags] = traceparent.split("-");
  if (traceId === undefined || spanId === undefined || flags === undefined) return null;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}

function samplerOf({ sampler, ratio }: TracingSettings): Sampler {
  const [, based, name] = /^(parentbased_)?(.+)$/.exec(sampler) ?? [];
  const root = rootSampler(name, ratio);
  return based === undefined ? root : new ParentBasedSampler({ root });
}

function rootSampler(name: string | undefined, ratio: number): Sampler {
  if (name === "always_off") return new AlwaysOffSampler();
  return name === "traceidratio" ? new TraceIdRatioBasedSampler(ratio) : new AlwaysOnSampler();
}

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
