import { malformed, type Refusal } from "#src/base/refusal.ts";
import { type BodyLimit, tooManyValues } from "./body-limit.ts";
import { CSRF_PARAM } from "./contract.ts";
import { readBytes } from "./read-body.ts";
import type { RequestContext } from "./request-context.ts";

/** A form as it was sent, not parsed yet. */
export type FormBody = {
  bytes: Uint8Array<ArrayBuffer>;
  /** The anti-forgery token in it; null without one. */
  token: string | null;
  /** Parses it. Refuses a form that cannot be read: 400. */
  parse: () => Promise<FormData>;
};

const PART = "content-disposition:";
const TOKEN_PART = `name="${CSRF_PARAM}"`;
const HEAD_END = "\r\n\r\n";

/**
 * Reads the body of a form. Refuses one that is too large or has too many fields (413), that takes too long (408), or that has
 * two tokens (400).
 */
export async function readFormBody(context: RequestContext, limit: BodyLimit): Promise<FormBody> {
  const type = context.request.headers.get("content-type") ?? "";
  const isMultipart = type.toLowerCase().startsWith("multipart/");
  const bytes = await readBytes(context, limit.bytes);
  // One character for each byte.
  const text = Buffer.from(bytes.buffer).toString("latin1");
  const fields = isMultipart ? countParts(text, limit) : countPairs(text, limit);
  if (fields > limit.values) throw tooManyValues(limit.values);
  return {
    bytes,
    token: isMultipart ? findTokenPart(text) : findTokenPair(text),
    parse: () =>
      new Response(bytes, { headers: { "content-type": type } }).formData().catch(() => {
        throw malformed("The form cannot be read.");
      }),
  };
}

// The token is found in the text of the form, because parsing a large form costs more than anything that a stranger may ask for.
// Each search goes through the text once, whatever is in it: a pattern that can begin at each line and ends nowhere would go
// through the rest of the text for each of them.

function findTokenPart(text: string): string | null {
  const at = text.indexOf(TOKEN_PART);
  if (at === -1) return null;
  if (text.includes(TOKEN_PART, at + TOKEN_PART.length)) throw twoTokens();
  const headEnd = text.indexOf(HEAD_END, at);
  if (headEnd === -1) return null;
  const start = headEnd + HEAD_END.length;
  const end = text.indexOf("\r\n", start);
  return text.slice(start, end === -1 ? undefined : end);
}

function findTokenPair(text: string): string | null {
  const named = `${CSRF_PARAM}=`;
  const [pair = null, another] = text.split("&").filter((each) => each.startsWith(named));
  if (another !== undefined) throw twoTokens();
  return pair?.slice(named.length) ?? null;
}

function twoTokens(): Refusal {
  return malformed("The form has its token twice.");
}

function countPairs(text: string, { values }: BodyLimit): number {
  let count = 1;
  for (let at = text.indexOf("&"); at !== -1 && count <= values; at = text.indexOf("&", at + 1)) count += 1;
  return count;
}

function countParts(text: string, { values }: BodyLimit): number {
  const lower = text.toLowerCase();
  let count = 0;
  for (let at = lower.indexOf(PART); at !== -1 && count <= values; at = lower.indexOf(PART, at + 1))
    count += 1;
  return count;
}
