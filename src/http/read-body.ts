import { malformed, Refusal } from "#src/base/refusal.ts";
import { within } from "#src/base/within.ts";
import { CSRF_PARAM, JSON_DEPTH_MAX, measureJson, UPLOAD_BYTES_MAX } from "./contract.ts";
import type { RequestContext } from "./request-context.ts";

/** A body that takes longer is not waited for: a client that sends a byte now and then would hold its connection for ever. */
const BODY_WITHIN_MS = 10_000;
/** A file, over a slow connection. */
const FILE_WITHIN_MS = 60_000;

/**
 * Reads the body as text. Refuses one that is too large (413) or that takes too long (408). A request that is answered from the
 * start again still has its body.
 */
export function readText(context: RequestContext, bytesMax: number): Promise<string> {
  context.text ??= receiveText(context, bytesMax);
  return context.text;
}

// Decision: a request has arrived with the last byte of its body, and not with its headers. A client that sends the body later, when it
// knows how a question has ended, is late.
async function receiveText(context: RequestContext, bytesMax: number): Promise<string> {
  const { request } = context;
  // A declared length was checked, and the server reads no further than that.
  const text = request.headers.has("content-length")
    ? await inTime(context, bytesMax, request.text())
    : new TextDecoder().decode(await readBytes(context, bytesMax));
  context.arrivedAtMs = performance.now();
  return text;
}

/** Begins to read a body of JSON before anything is asked about its sender: so what that takes does not count as its arrival. */
export function beginToRead(context: RequestContext): void {
  const length = Number(context.request.headers.get("content-length") ?? 0);
  if (length <= JSON_LIMIT.bytes) void readText(context, JSON_LIMIT.bytes).catch(() => undefined);
}

/** Reads the body as bytes. Refuses one that is too large (413) or that takes too long (408). */
export async function readBytes(context: RequestContext, bytesMax: number): Promise<Uint8Array<ArrayBuffer>> {
  const { request } = context;
  const length = request.headers.get("content-length");
  // What was checked before may have been a larger limit, that of the path.
  if (length !== null && Number(length) > bytesMax) throw tooLarge(bytesMax);
  if (length !== null) return new Uint8Array(await inTime(context, bytesMax, request.arrayBuffer()));
  return inTime(context, bytesMax, readChunks(request, bytesMax));
}

async function readChunks(request: Request, bytesMax: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > bytesMax) throw tooLarge(bytesMax);
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

/** Waits for a body that the caller reads. Refuses one that takes too long: 408. @param bytesMax how much the caller reads. */
export function inTime<Body>(
  context: RequestContext,
  bytesMax: number,
  reading: Promise<Body>,
): Promise<Body> {
  const withinMs = bytesMax < FILE_LIMIT.bytes ? BODY_WITHIN_MS : FILE_WITHIN_MS;
  return within(withinMs, reading, () => Promise.reject(tooSlow(context)));
}

/** 408. The connection is closed with the answer: what still arrives is of no interest. */
function tooSlow(context: RequestContext): Refusal {
  context.closes = true;
  return new Refusal(408, "too_slow", "The request took too long to arrive. Send it again.");
}

const KB = 1_024;
const MB = KB * KB;

/** How large a body may be. It is checked before the body is parsed, because parsing costs far more than counting. */
export type BodyLimit = {
  bytes: number;
  /** How many values: items of lists, and fields of objects or of a form. */
  values: number;
};

/** Most bodies have less than 1 KB and ten values. */
export const JSON_LIMIT: BodyLimit = { bytes: 16 * KB, values: 200 };
export const FORM_LIMIT: BodyLimit = { bytes: 64 * KB, values: 200 };
/** A file, and the fields around it. */
export const FILE_LIMIT: BodyLimit = { bytes: UPLOAD_BYTES_MAX + 64 * KB, values: 20 };
/** A message of a payment provider. Nothing of it is parsed before its signature is checked. */
export const WEBHOOK_BYTES_MAX = 256 * KB;

function tooLarge(bytes: number): Refusal {
  const limit = bytes >= MB ? `${Math.floor(bytes / MB)} MB` : `${Math.floor(bytes / KB)} KB`;
  return new Refusal(413, "too_large", `The request is too large (at most ${limit}).`);
}

function tooManyValues(values: number): Refusal {
  return new Refusal(413, "too_large", `The request has too many values (at most ${values}).`);
}

/** Refuses JSON with too many values (413) or too deep nesting (400), without parsing it. */
function refuseLargeJson(text: string, { values: valuesMax }: BodyLimit): void {
  const { values, depth } = measureJson(text);
  if (depth > JSON_DEPTH_MAX + 1) throw malformed("The body is nested too deeply.");
  if (values > valuesMax) throw tooManyValues(valuesMax);
}

/**
 * Reads and parses the body of a request; null for an empty one. Refuses a body that is not JSON (415), too large (413), too slow
 * (408) or malformed (400).
 */
export async function readJson(context: RequestContext, limit: BodyLimit = JSON_LIMIT): Promise<unknown> {
  const { body, headers, method } = context.request;
  if (body === null || method === "GET" || method === "HEAD") return null;
  if (!isJson(headers.get("content-type") ?? "")) throw notJson();
  refuseLength(headers, limit.bytes);
  const text = await readText(context, limit.bytes);
  if (text === "") return null;
  refuseLargeJson(text, limit);
  return parse(text);
}

/** Refuses a request whose Content-Length is too large: 413. */
export function refuseLength(headers: Headers, bytesMax: number): void {
  if (Number(headers.get("content-length") ?? 0) > bytesMax) throw tooLarge(bytesMax);
}

function isJson(contentType: string): boolean {
  const [type = ""] = contentType.split(";").map((part) => part.trim().toLowerCase());
  return type === "application/json" || (type.startsWith("application/") && type.endsWith("+json"));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed("The body is not valid JSON.");
  }
}

function notJson(): Refusal {
  return new Refusal(
    415,
    "unsupported_media_type",
    "The body must be JSON (Content-Type: application/json).",
  );
}

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
