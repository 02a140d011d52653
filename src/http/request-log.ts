import type { Logger } from "pino";
import type { RequestContext } from "./request-context.ts";

type Answered = {
  status: number;
  userId: number | null;
  /** The access token of a program. */
  tokenId: number | null;
};

/** Longer than any path of ours. */
const PATH_LENGTH_MAX = 300;

/**
 * Logs one line per request. The path is logged without its query, because links in mails carry secrets there, and its start only
 * if a stranger has made it longer than ours are.
 */
export function logRequest(
  log: Logger,
  { request, path: whole, requestId, startedAtMs }: RequestContext,
  { status, userId, tokenId }: Answered,
): void {
  const tookMs = Math.round((performance.now() - startedAtMs) * 10) / 10;
  const path = whole.slice(0, PATH_LENGTH_MAX);
  const fields = { requestId, method: request.method, path, status, tookMs, userId };
  if (tokenId !== null) Object.assign(fields, { tokenId });
  log.info(fields, "answered");
}
