/** Of an answer whose headers and body fit into the server's send buffer of 16 KB, with room for the headers. */
const BUFFERED_BYTES_MAX = 8_192;

const encoder = new TextEncoder();

/**
 * The body of an answer that is complete. Bun sends an answer that comes after an `await` and does not fit into its send buffer with
 * one system call for each part of each header, dozens a page. A stream of one piece is sent with two calls.
 * See https://github.com/oven-sh/bun/pull/41341: once it is released, this file can go.
 */
export function wholeBody(body: string | Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> | ReadableStream {
  const bytes = typeof body === "string" ? encoder.encode(body) : body;
  if (bytes.length <= BUFFERED_BYTES_MAX) return bytes;
  return new ReadableStream({
    start: (stream) => {
      stream.enqueue(bytes);
      stream.close();
    },
  });
}
