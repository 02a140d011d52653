import { Writable } from "node:stream";
import type { ReactNode } from "react";
import { renderToPipeableStream } from "react-dom/server";
import { KeptPartError } from "./render-string/kept-part-error.ts";
import { renderString } from "./render-string/render-string.ts";

type Settings = {
  nonce: string;
  onError: (error: unknown) => void;
  /** Data of a part is still to come: only React can send the part later. */
  isPending?: boolean;
  /** Called with the reason when React has to render a page whose data is there; once for each reason. */
  onLeftToReact?: (reason: string) => void;
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

const REASONS_MAX = 100;
const knownReasons = new Set<string>();

/**
 * Renders the app as far as its data is there. An app that is complete is rendered to a string at once; what that cannot do is
 * left to React (see render-string.ts). Rejects if what is outside the pending parts cannot be rendered.
 */
export async function renderApp(node: ReactNode, settings: Settings): Promise<RenderedApp> {
  if (settings.isPending === true) return renderWithReact(node, settings);
  const { html, leftToReact, error } = renderString(node);
  if (html !== null) return { html, rest: null };
  if (error instanceof KeptPartError) settings.onError(error);
  if (leftToReact !== null && !knownReasons.has(leftToReact) && knownReasons.size < REASONS_MAX) {
    knownReasons.add(leftToReact);
    settings.onLeftToReact?.(leftToReact);
  }
  return renderWithReact(node, settings);
}

/**
 * The same with React's own renderer. A complete app is one string, which costs half of React's own stream: that makes a native
 * call for every few letters.
 */
export function renderWithReact(node: ReactNode, { nonce, onError }: Settings): Promise<RenderedApp> {
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
