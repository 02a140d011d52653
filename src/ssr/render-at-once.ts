import { Writable } from "node:stream";
import type { ReactNode } from "react";
import { renderToPipeableStream } from "react-dom/server";

/** What is missing by then is left to the browser. */
const STREAM_WITHIN_MS = 5_000;

type Settings = {
  nonce: string;
  onError: (error: unknown) => void;
};

/**
 * Renders to one string where nothing is pending when the shell is ready, else to a stream with one chunk for each of
 * React's flushes. One string costs half of React's own stream, which makes a native call for every few letters.
 * Rejects where the shell cannot be rendered.
 */
export function renderAtOnce(
  node: ReactNode,
  settings: Settings,
): Promise<string | ReadableStream<Uint8Array>> {
  const { promise, resolve, reject } = Promise.withResolvers<string | ReadableStream<Uint8Array>>();
  const sink = new Sink();
  let complete = false;
  const rendering = renderToPipeableStream(node, {
    nonce: settings.nonce,
    onError: settings.onError,
    onShellError: reject,
    onAllReady: () => {
      complete = true;
    },
    // That all is ready is said right after that the shell is.
    onShellReady: () =>
      queueMicrotask(() => {
        if (!complete) {
          const timer = setTimeout(() => rendering.abort(), STREAM_WITHIN_MS);
          sink.once("close", () => clearTimeout(timer));
          resolve(sink.stream(() => rendering.abort()));
        }
        rendering.pipe(sink);
        if (complete) resolve(sink.text);
      }),
  });
  return promise;
}

/** Gathers what React writes: as one text, or passed on with every flush once it is asked for as a stream. */
class Sink extends Writable {
  text = "";
  #flow: ReadableStreamDefaultController<Uint8Array> | null = null;
  readonly #decoder = new TextDecoder();
  readonly #encoder = new TextEncoder();

  stream(onCancel: () => void): ReadableStream<Uint8Array> {
    return new ReadableStream({
      start: (flow) => {
        this.#flow = flow;
      },
      cancel: () => {
        this.#flow = null;
        onCancel();
      },
    });
  }

  override write(chunk: string | Uint8Array): boolean {
    this.text += typeof chunk === "string" ? chunk : this.#decoder.decode(chunk, { stream: true });
    return true;
  }

  /** React calls this wherever a reader has something to see. */
  flush(): void {
    if (this.#flow === null || this.text === "") return;
    this.#flow.enqueue(this.#encoder.encode(this.text));
    this.text = "";
  }

  override end(): this {
    this.flush();
    this.#flow?.close();
    this.destroy();
    return this;
  }
}
