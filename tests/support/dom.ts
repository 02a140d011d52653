import { GlobalRegistrator } from "@happy-dom/global-registrator";

// happy-dom brings its own of these, which Bun.serve, fetch and the router do not take.
const keptFromBun =
  "fetch Request Response Headers FormData Blob File URL URLSearchParams AbortController AbortSignal ReadableStream " +
  "WritableStream TransformStream TextEncoder TextDecoder WebSocket performance crypto setTimeout clearTimeout " +
  "setInterval clearInterval queueMicrotask";

/**
 * Gives this test file a document and a window, beside Bun's own network, streams and timers.
 * Call it in beforeAll, and what it returns in afterAll.
 */
export function openDom({ url = "http://localhost/" } = {}): () => Promise<void> {
  const kept = keptFromBun
    .split(" ")
    .map((name) => ({ name, own: Object.getOwnPropertyDescriptor(globalThis, name) }));
  GlobalRegistrator.register({ url });
  for (const { name, own } of kept) {
    if (own !== undefined) Object.defineProperty(globalThis, name, { ...own, configurable: true });
  }
  Object.defineProperty(globalThis, "IS_REACT_ACT_ENVIRONMENT", { value: true, configurable: true });
  return () => GlobalRegistrator.unregister();
}
