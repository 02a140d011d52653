import type { Logger } from "pino";
import { pathOf } from "./page-request.ts";
import type { RequestContext } from "./request-context.ts";

/** One line for each request. The path goes in without its query: links in mails carry secrets there. */
export function logRequest(
  log: Logger,
  request: Request,
  { exchange, status, userId }: { exchange: RequestContext; status: number; userId: number | null },
): void {
  const { requestId, startedAtMs } = exchange;
  const tookMs = Math.round((performance.now() - startedAtMs) * 10) / 10;
  const line = { requestId, method: request.method, path: pathOf(request), status, tookMs, userId };
  log.info(line, "answered");
}
