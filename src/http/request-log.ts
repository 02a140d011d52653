import type { Logger } from "pino";
import { pathOf } from "./page-request.ts";
import type { RequestContext } from "./request-context.ts";

type Answered = {
  context: RequestContext;
  status: number;
  userId: number | null;
  /** The access token of a program. */
  tokenId: number | null;
};

/** Logs one line per request. The path is logged without its query, because links in mails carry secrets there. */
export function logRequest(
  log: Logger,
  request: Request,
  { context, status, userId, tokenId }: Answered,
): void {
  const { requestId, startedAtMs } = context;
  const tookMs = Math.round((performance.now() - startedAtMs) * 10) / 10;
  const fields = { requestId, method: request.method, path: pathOf(request), status, tookMs, userId };
  if (tokenId !== null) Object.assign(fields, { tokenId });
  log.info(fields, "answered");
}
