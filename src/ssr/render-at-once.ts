import { Writable } from "node:stream";
import type { ReactNode } from "react";
import { renderToPipeableStream } from "react-dom/server";

/** Parts that are not ready by then are left to the browser. */
const STREAM_TIMEOUT_MS = 5_000;

type Settings = {
  nonce: string;
  onError: (error: unknown) => void;
};

/**
 * Renders to one string if nothing is pending when the shell is ready, else to a stream with one chunk per React flush. One
 * string costs half of React's own stream, which makes a native call for every few letters. Rejects if the shell cannot be
 * rendered.
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
    // React calls onAllReady right after onShellReady, so the decision waits for one microtask.
    onShellReady: () =>
      queueMicrotask(() => {
        if (!complete) {
          const timer = setTimeout(() => rendering.abort(), STREAM_TIMEOUT_MS);
          sink.once("close", () => clearTimeout(timer));
          resolve(sink.stream(() => rendering.abort()));
        }
        rendering.pipe(sink);
        if (complete) resolve(sink.text);
      }),
  });
  return promise;
}

/** Collects React's output as one text, or, once `stream` was called, passes it on with every flush. */
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

  /** React calls this whenever a chunk is worth sending. */
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
