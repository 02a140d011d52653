import { Refusal } from "#src/base/refusal.ts";

/** The limit for bodies without a file: far above the largest valid one. */
export const BODY_BYTES_MAX = 1_048_576;

/** Reads the body as text. Refuses one that is too large, even if it declared no length: 413. */
export async function readText(request: Request): Promise<string> {
  // refuseTooLarge has checked the declared length, and the server reads no further than that.
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

/** 413. @param limit for people: "1 MB". */
export function tooLarge(limit: string): Refusal {
  return new Refusal(413, "too_large", `The request is too large (at most ${limit}).`);
}
