import { Refusal } from "#src/base/refusal.ts";

/** No body of ours is near it, except those that carry a file. */
export const BODY_BYTES_MAX = 1_048_576;

/** The body as text. Refuses one that is too large, whatever it said before: 413. */
export async function readText(request: Request): Promise<string> {
  // A length that was declared was checked at the door, and the server reads no further than it.
  if (request.headers.has("content-length")) return request.text();
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > BODY_BYTES_MAX) throw tooLarge("1 MB");
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

export function tooLarge(most: string): Refusal {
  return new Refusal(413, "too_large", `The request is too large (at most ${most}).`);
}
