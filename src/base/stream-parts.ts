/** A stream of parts: a part is made only when the reader has taken the one before. */
export function streamParts(
  parts: AsyncIterable<string | Uint8Array>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const source = parts[Symbol.asyncIterator]();
  const bytes = new TextEncoder();
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: async (controller) => {
      const { done, value } = await source.next();
      if (done === true) controller.close();
      // A copy, because the stream may take the memory over.
      else controller.enqueue(typeof value === "string" ? bytes.encode(value) : new Uint8Array(value));
    },
    cancel: async () => {
      await source.return?.();
    },
  });
}
