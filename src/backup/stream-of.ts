/** A stream of the chunks of an iterable. It reads a chunk when it is asked for one. */
export function streamOf(chunks: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array<ArrayBuffer>> {
  const source = chunks[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: async (controller) => {
      const next = await source.next();
      // A copy, because the stream may take the memory over.
      if (next.done !== true) controller.enqueue(new Uint8Array(next.value));
      else controller.close();
    },
    cancel: async () => {
      await source.return?.();
    },
  });
}
