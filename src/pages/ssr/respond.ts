import type { Deferred } from "#client/base/deferred/deferred.ts";
import { measurePagePart } from "#src/base/instruments.ts";
import { chooseEncoding } from "#src/http/choose-encoding.ts";
import { wholeBody } from "#src/http/whole-body.ts";
import { compressPage, compressPieces, pageEncodings, wholePageEncodings } from "./compress-page.ts";
import type { DocumentAround } from "./document.ts";
import type { RenderedApp } from "./render-app.ts";
import { streamPage } from "./stream-page.ts";

type Parts = {
  around: DocumentAround;
  app: RenderedApp;
  /** The parts of the app whose data is still to come, by the ids of their markers. */
  pending: Map<number, Deferred>;
  nonce: string;
  status: number;
  /** The headers about caching. */
  caching: Readonly<Record<string, string>>;
};

/** The page as a response: complete, or as a stream of which the first piece is all that is ready. */
export function respond(request: Request, { around, app, pending, nonce, status, caching }: Parts): Response {
  const { rest } = app;
  const encoding = chooseEncoding(request, rest === null ? wholePageEncodings(around) : pageEncodings);
  const headers = new Headers({
    "content-type": "text/html; charset=utf-8",
    ...caching,
  });
  if (encoding !== null) headers.set("content-encoding", encoding);
  if (rest === null) {
    const startedAtMs = performance.now();
    const page = compressPage(
      {
        opening: around.opening,
        start: around.start,
        parts: [around.head, app.html, around.tail, around.end],
      },
      encoding,
    );
    measurePagePart("compress", startedAtMs);
    return new Response(wholeBody(page), { status, headers });
  }
  if (request.method === "HEAD") {
    rest.abort();
    return new Response(null, { status, headers });
  }
  // A proxy such as nginx must not collect the pieces either.
  headers.set("x-accel-buffering", "no");
  const start = around.opening + around.start + around.head + app.html + around.tail;
  const pieces = streamPage({ start, rest, end: around.end, pending, nonce });
  return new Response(compressPieces(pieces, encoding), { status, headers });
}
