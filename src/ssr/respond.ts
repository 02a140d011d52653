type Parts = { head: string; tail: string; body: string | ReadableStream<Uint8Array>; status: number };

const GZIP_LEVEL = 1;
const ZSTD_LEVEL = 3;

/** The page as a response: compressed if it is complete, streamed uncompressed otherwise. */
export function respond(request: Request, { head, tail, body, status }: Parts): Response {
  const headers = new Headers({
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    vary: "accept-encoding, cookie",
  });
  if (typeof body !== "string") return new Response(around(head, body, tail), { status, headers });
  const page = new TextEncoder().encode(head + body + tail);
  const accepted = request.headers.get("accept-encoding") ?? "";
  if (accepted.includes("zstd")) {
    headers.set("content-encoding", "zstd");
    return new Response(new Uint8Array(Bun.zstdCompressSync(page, { level: ZSTD_LEVEL })), {
      status,
      headers,
    });
  }
  if (accepted.includes("gzip")) {
    headers.set("content-encoding", "gzip");
    return new Response(Bun.gzipSync(page, { level: GZIP_LEVEL }), { status, headers });
  }
  return new Response(page, { status, headers });
}

function around(head: string, body: ReadableStream<Uint8Array>, tail: string): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return body.pipeThrough(
    new TransformStream({
      start: (flow) => flow.enqueue(encoder.encode(head)),
      flush: (flow) => flow.enqueue(encoder.encode(tail)),
    }),
  );
}
