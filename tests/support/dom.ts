import { GlobalRegistrator } from "@happy-dom/global-registrator";
import { renderToPipeableStream } from "react-dom/server";
import { updateConnection } from "#client/base/live/connection.ts";

// happy-dom replaces these with its own, which Bun.serve, fetch and the router do not accept.
const bunGlobals =
  "fetch Request Response Headers FormData Blob File URL URLSearchParams AbortController AbortSignal ReadableStream " +
  "WritableStream TransformStream TextEncoder TextDecoder WebSocket performance crypto setTimeout clearTimeout " +
  "setInterval clearInterval queueMicrotask";

/** The connection of a page that has just loaded. */
export const inSync = {
  connected: true,
  silent: false,
  behind: false,
  untimed: false,
  network: true,
  slow: false,
  dismissed: null,
  rejected: false,
};

/**
 * Creates a document and a window for this test file. The network, streams and timers stay Bun's.
 * @returns a function that removes them; pass it to afterFile().
 */
export function openDom({ url = "http://localhost/" } = {}): () => Promise<void> {
  const ownGlobals = bunGlobals
    .split(" ")
    .map((name) => ({ name, own: Object.getOwnPropertyDescriptor(globalThis, name) }));
  GlobalRegistrator.register({ url });
  for (const { name, own } of ownGlobals) {
    if (own !== undefined) Object.defineProperty(globalThis, name, { ...own, configurable: true });
  }
  Object.defineProperty(globalThis, "IS_REACT_ACT_ENVIRONMENT", { value: true, configurable: true });
  // The last late part of a page that a server in this process has streamed leaves React's contexts set, until the next rendering begins.
  renderToPipeableStream(null);
  // A new page is connected, whatever became of the pages before it in this process.
  updateConnection(inSync);
  return () => GlobalRegistrator.unregister();
}
