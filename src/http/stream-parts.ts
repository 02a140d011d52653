/** The body of an answer that is made while it is sent: a part is made only when the client has taken the one before. */
export function streamParts(parts: AsyncGenerator<string | Uint8Array>): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder();
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await parts.next();
      if (done === true) controller.close();
      else controller.enqueue(typeof value === "string" ? bytes.encode(value) : value);
    },
    cancel: async () => {
      await parts.return(undefined);
    },
  });
}
