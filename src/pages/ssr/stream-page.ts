import type { Deferred } from "#client/base/deferred/deferred.ts";
import type { LatePart } from "#client/base/deferred/hydrate-deferred.ts";
import type { RestOfApp } from "./render-app.ts";

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

const escapes: Record<string, string> = { "<": "\\u003c", "\u2028": "\\u2028", "\u2029": "\\u2029" };

/** JSON that is safe inside a <script>: it cannot end the element, start a comment or contain a line separator. */
export function jsonForScript(value: unknown): string {
  return JSON.stringify(value).replaceAll(/[<\u2028\u2029]/g, (letter) => escapes[letter] ?? letter);
}
