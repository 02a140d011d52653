import type { Logger } from "pino";
import { pathOf } from "./page-request.ts";
import type { RequestContext } from "./request-context.ts";

/** Logs one line per request. The path is logged without its query, because links in mails carry secrets there. */
export function logRequest(
  log: Logger,
  request: Request,
  { context, status, userId }: { context: RequestContext; status: number; userId: number | null },
): void {
  const { requestId, startedAtMs } = context;
  const tookMs = Math.round((performance.now() - startedAtMs) * 10) / 10;
  const fields = { requestId, method: request.method, path: pathOf(request), status, tookMs, userId };
  log.info(fields, "answered");
}
