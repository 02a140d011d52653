import { Writable } from "node:stream";
import { createElement, type ReactNode } from "react";
import { renderToPipeableStream, renderToString } from "react-dom/server";
import { CompletePage } from "#client/base/deferred/boundary.tsx";
import type { Deferred } from "#client/base/deferred/deferred.ts";

// Decision: a page whose data is there is rendered by renderToString, at three quarters of the cost of React's stream. Only what
// that cannot do is left to the stream: to wait, and to report what has failed.

type Settings = {
  nonce: string;
  onError: (error: unknown) => void;
  /** Data of a part is still to come. */
  isPending?: boolean;
};

/** The rendered app: its HTML, or, while parts of it are pending, what is ready of it. */
export type RenderedApp = {
  html: string;
  /** Null for a complete app. */
  rest: RestOfApp | null;
};

export type RestOfApp = {
  /**
   * Passes on the HTML of the pending parts, with the scripts that move them to their places.
   * @param write called with each piece as soon as React has it.
   * @param end called after the last piece.
   */
  follow: (write: (html: string) => void, end: () => void) => void;
  /** Ends rendering: nobody waits for the rest. */
  abort: () => void;
};

/** Renders the app as far as its data is there. Rejects if what is outside the pending parts cannot be rendered. */
export async function renderApp(node: ReactNode, settings: Settings): Promise<RenderedApp> {
  if (settings.isPending !== true) {
    try {
      return { html: renderToString(createElement(CompletePage, { value: true }, node)), rest: null };
    } catch {
      // A component has failed, or waits after all. The stream waits too, and reports the error.
    }
  }
  return renderByStream(node, settings);
}

function renderByStream(node: ReactNode, { nonce, onError }: Settings): Promise<RenderedApp> {
  const { promise, resolve, reject } = Promise.withResolvers<RenderedApp>();
  const { sink, take, follow } = collectPieces();
  let complete = false;
  let aborted = false;
  const rendering = renderToPipeableStream(node, {
    nonce,
    onError: (error) => {
      if (!aborted) onError(error);
    },
    // A part that is ready is rendered at its place, whatever its size.
    progressiveChunkSize: Number.MAX_SAFE_INTEGER,
    onShellError: reject,
    onAllReady: () => {
      complete = true;
    },
    // React calls onAllReady right after onShellReady, so the decision waits for one microtask.
    onShellReady: () =>
      queueMicrotask(() => {
        const isWhole = complete;
        rendering.pipe(sink);
        resolve({ html: take(), rest: isWhole ? null : { follow, abort } });
      }),
  });
  const abort = () => {
    aborted = true;
    rendering.abort();
  };
  return promise;
}

type Pieces = {
  sink: Writable;
  take: () => string;
  follow: RestOfApp["follow"];
};

/** Collects React's output. What React writes at once is one piece. */
function collectPieces(): Pieces {
  const decoder = new TextDecoder();
  let text = "";
  let isEnded = false;
  let reader: { write: (html: string) => void; end: () => void } | null = null;
  const take = () => {
    const taken = text;
    text = "";
    return taken;
  };
  const pass = () => {
    if (reader !== null && text !== "") reader.write(take());
  };
  const sink = new Writable({
    decodeStrings: false,
    // React never has to wait.
    highWaterMark: Number.MAX_SAFE_INTEGER,
    write: (chunk: string | Uint8Array, _encoding, done) => {
      if (text === "") queueMicrotask(pass);
      text += typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
      done();
    },
    final: (done) => {
      pass();
      isEnded = true;
      reader?.end();
      done();
    },
  });
  const follow: RestOfApp["follow"] = (write, end) => {
    reader = { write, end };
    pass();
    if (isEnded) end();
  };
  return { sink, take, follow };
}

// Decision: a page whose deferred parts are there within milliseconds leaves in one piece. Streamed, the same page costs up to
// twice the CPU. The wait is counted in turns of the event loop, because in a busy process data that has arrived is read a few
// turns later. It is long enough for a query that reads for 30 pages at once, and too short to be noticed.

const TURNS_MAX = 20;
const TURN_MS = 1;

/**
 * Waits for the deferred parts of a page, but only for 20 turns of the event loop of at least 1 ms each: a slow part does not
 * hold up the page.
 */
export async function waitForDeferred(parts: readonly Deferred[]): Promise<void> {
  const pending = parts.filter(({ settled }) => settled === null);
  if (pending.length === 0) return;
  let allSettled = false;
  const settling = Promise.all(pending.map(({ outcome }) => outcome)).then(() => {
    allSettled = true;
  });
  const waitTurns = async () => {
    for (let turn = 0; turn < TURNS_MAX && !allSettled; turn += 1) await Bun.sleep(TURN_MS);
  };
  await Promise.race([settling, waitTurns()]);
}
