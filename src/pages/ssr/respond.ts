import type { Deferred } from "#client/base/deferred/deferred.ts";
import type { LatePart } from "#client/base/deferred/hydrate-deferred.ts";
import { measurePagePart } from "#src/base/instruments.ts";
import { chooseEncoding } from "#src/http/choose-encoding.ts";
import { wholeBody } from "#src/http/finish-answer.ts";
import { compressPage, compressPieces, pageEncodings, wholePageEncodings } from "./compress-page.ts";
import { type DocumentAround, jsonForScript } from "./document.ts";
import type { RenderedApp, RestOfApp } from "./render-app.ts";

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

/** A part whose data is not there by then ends as an error, and the document with it. Below the time that a stop waits. */
const PART_TIMEOUT_MS = 5_000;

const encoder = new TextEncoder();

export type StreamedPage = {
  /** The document up to the pending parts: it leaves at once, as one piece. */
  start: string;
  rest: RestOfApp;
  end: string;
  /** The parts whose data was not there with the start, by the ids of their markers. */
  pending: Map<number, Deferred>;
  nonce: string;
};

/**
 * Sends a page in pieces, as its parts become ready. Each piece begins with the data of its parts, so that the browser has the
 * data when React shows the part. A client that leaves ends the rendering.
 */
export function streamPage(
  { start, rest, end, pending, nonce }: StreamedPage,
  timeoutMs = PART_TIMEOUT_MS,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const timer = setTimeout(() => giveUp(pending), timeoutMs);
  let hasLeft = false;
  return new ReadableStream({
    start: (stream) => {
      stream.enqueue(encoder.encode(start));
      rest.follow(
        (html) => {
          if (!hasLeft) stream.enqueue(encoder.encode(takeData(pending, nonce) + html));
        },
        () => {
          clearTimeout(timer);
          if (hasLeft) return;
          stream.enqueue(encoder.encode(takeData(pending, nonce) + end));
          stream.close();
        },
      );
    },
    cancel: () => {
      clearTimeout(timer);
      hasLeft = true;
      rest.abort();
    },
  });
}

/** Ends what is still pending as unavailable for now. */
function giveUp(pending: ReadonlyMap<number, Deferred>): void {
  for (const part of pending.values())
    part.settle({ failure: { status: 503, details: null, leadsTo: null } });
}

/** The scripts with the data of the parts that were settled since the last call. They are no longer pending. */
function takeData(pending: Map<number, Deferred>, nonce: string): string {
  const scripts: string[] = [];
  for (const [id, { settled }] of pending) {
    if (settled === null) continue;
    pending.delete(id);
    scripts.push(`<script nonce="${nonce}">${scriptFor([id, settled])}</script>`);
  }
  return scripts.join("");
}

/** Hands a part to the browser's code, which may have started or not. */
function scriptFor(part: LatePart): string {
  return `(self.lateParts??=[]).push(${jsonForScript(part)})`;
}
