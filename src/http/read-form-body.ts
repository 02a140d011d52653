import { malformed } from "#src/base/refusal.ts";
import { type BodyLimit, tooManyValues } from "./body-limit.ts";
import { CSRF_PARAM } from "./contract.ts";
import { readBytes } from "./read-body.ts";

/** A form as it was sent, not parsed yet. */
export type FormBody = {
  bytes: Uint8Array<ArrayBuffer>;
  /** The anti-forgery token in it; null without one. */
  token: string | null;
  /** Parses it. Refuses a form that cannot be read: 400. */
  parse: () => Promise<FormData>;
};

// The token is found in the text of the form, because parsing a large form costs more than anything that a stranger may ask for.
const urlencodedToken = new RegExp(`(?:^|&)${CSRF_PARAM}=([^&]*)`);
const multipartToken = new RegExp(
  `name="${CSRF_PARAM}"[^\\r\\n]*\\r\\n(?:[^\\r\\n]+\\r\\n)*\\r\\n([^\\r\\n]*)`,
);
const PART = "content-disposition:";

/** Reads the body of a form. Refuses one that is too large or has too many fields (413), or that takes too long (408). */
export async function readFormBody(request: Request, limit: BodyLimit): Promise<FormBody> {
  const type = request.headers.get("content-type") ?? "";
  const isMultipart = type.toLowerCase().startsWith("multipart/");
  const bytes = await readBytes(request, limit.bytes);
  // One character for each byte.
  const text = Buffer.from(bytes.buffer).toString("latin1");
  const fields = isMultipart ? countParts(text, limit) : countPairs(text, limit);
  if (fields > limit.values) throw tooManyValues(limit.values);
  const token = (isMultipart ? multipartToken : urlencodedToken).exec(text)?.[1] ?? null;
  return {
    bytes,
    token,
    parse: () =>
      new Response(bytes, { headers: { "content-type": type } }).formData().catch(() => {
        throw malformed("The form cannot be read.");
      }),
  };
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
