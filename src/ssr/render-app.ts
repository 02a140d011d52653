import { Writable } from "node:stream";
import type { ReactNode } from "react";
import { renderToPipeableStream } from "react-dom/server";

type Settings = {
  nonce: string;
  onError: (error: unknown) => void;
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

/**
 * Renders the app as far as its data is there. Complete, it is one string: that costs half of React's own stream, which makes a
 * native call for every few letters. Rejects if what is outside the pending parts cannot be rendered.
 */
export function renderApp(node: ReactNode, { nonce, onError }: Settings): Promise<RenderedApp> {
  const { promise, resolve, reject } = Promise.withResolvers<RenderedApp>();
  const sink = new Sink();
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
        resolve({ html: sink.take(), rest: isWhole ? null : { follow: sink.follow.bind(sink), abort } });
      }),
  });
  const abort = () => {
    aborted = true;
    rendering.abort();
  };
  return promise;
}

/** Collects React's output. A piece ends with each flush, which React calls whenever there is something worth sending. */
class Sink extends Writable {
  #text = "";
  #ended = false;
  #reader: { write: (html: string) => void; end: () => void } | null = null;
  readonly #decoder = new TextDecoder();

  /** What was collected since the last piece. */
  take(): string {
    const text = this.#text;
    this.#text = "";
    return text;
  }

  follow(write: (html: string) => void, end: () => void): void {
    this.#reader = { write, end };
    this.flush();
    if (this.#ended) end();
  }

  override write(chunk: string | Uint8Array): boolean {
    this.#text += typeof chunk === "string" ? chunk : this.#decoder.decode(chunk, { stream: true });
    return true;
  }

  flush(): void {
    if (this.#reader !== null && this.#text !== "") this.#reader.write(this.take());
  }

  override end(): this {
    this.flush();
    this.#ended = true;
    this.#reader?.end();
    this.destroy();
    return this;
  }
}
