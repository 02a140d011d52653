import { Refusal } from "#src/base/refusal.ts";
import { FILE_LIMIT, tooLarge } from "./body-limit.ts";
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

async function receiveText(context: RequestContext, bytesMax: number): Promise<string> {
  const { request } = context;
  // A declared length was checked, and the server reads no further than that.
  if (request.headers.has("content-length")) return inTime(context, bytesMax, request.text());
  return new TextDecoder().decode(await readBytes(context, bytesMax));
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
export async function inTime<Body>(
  context: RequestContext,
  bytesMax: number,
  reading: Promise<Body>,
): Promise<Body> {
  const late = Promise.withResolvers<never>();
  const withinMs = bytesMax < FILE_LIMIT.bytes ? BODY_WITHIN_MS : FILE_WITHIN_MS;
  const timer = setTimeout(() => late.reject(tooSlow(context)), withinMs);
  try {
    return await Promise.race([reading, late.promise]);
  } finally {
    clearTimeout(timer);
    reading.catch(() => undefined);
  }
}

/** 408. The connection is closed with the answer: what still arrives is of no interest. */
function tooSlow(context: RequestContext): Refusal {
  context.closes = true;
  return new Refusal(408, "too_slow", "The request took too long to arrive. Send it again.");
}
