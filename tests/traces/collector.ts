import * as v from "valibot";

const value = v.object({ stringValue: v.optional(v.string()) });
const attributes = v.optional(
  v.array(v.object({ key: v.string(), value: v.looseObject(value.entries) })),
  [],
);
const span = v.object({
  traceId: v.string(),
  spanId: v.string(),
  parentSpanId: v.optional(v.string()),
  name: v.string(),
  attributes,
  links: v.optional(v.array(v.object({ traceId: v.string(), spanId: v.string() })), []),
});
const exported = v.object({
  resourceSpans: v.array(
    v.object({ resource: v.object({ attributes }), scopeSpans: v.array(v.object({ spans: v.array(span) })) }),
  ),
});

/** A span as the collector got it; `service` is the name of the program. */
export type CollectedSpan = v.InferOutput<typeof span> & { service: string };

/** A small OpenTelemetry collector on this machine: it takes traces by OTLP over HTTP, as JSON. */
export function startCollector() {
  const spans: CollectedSpan[] = [];
  /** Of the last request. */
  const headers: Record<string, string> = {};
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      if (new URL(request.url).pathname !== "/v1/traces") return new Response(null, { status: 404 });
      Object.assign(headers, Object.fromEntries(request.headers));
      const bytes = await request.bytes();
      const body = headers["content-encoding"] === "gzip" ? Bun.gunzipSync(bytes) : bytes;
      const { resourceSpans } = v.parse(exported, JSON.parse(new TextDecoder().decode(body)));
      for (const { resource, scopeSpans } of resourceSpans) {
        const service =
          resource.attributes.find(({ key }) => key === "service.name")?.value.stringValue ?? "";
        for (const scope of scopeSpans) spans.push(...scope.spans.map((each) => ({ ...each, service })));
      }
      return Response.json({});
    },
  });
  const stop = () => server.stop(true);
  return { url: `http://127.0.0.1:${server.port}`, spans, headers, stop };
}

/** The names of a span and of all that it is in, the innermost first. */
export function pathTo(spans: readonly CollectedSpan[], one: CollectedSpan): string[] {
  const path = [one.name];
  for (let each = one; ;) {
    const { parentSpanId } = each;
    const parent = spans.find(({ spanId }) => spanId === parentSpanId);
    if (parent === undefined) return path;
    path.push(parent.name);
    each = parent;
  }
}
