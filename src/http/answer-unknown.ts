import { notFound } from "#src/base/refusal.ts";
import type { RequestContext } from "./request-context.ts";
import type { ErrorBody } from "./schemas.ts";

/**
 * Answers a request that leads nowhere: 405 with Allow if the API has the path under another method.
 * @param allowed the methods that the path takes.
 * @throws Refusal 404 for all others.
 */
export function answerUnknown({ path, requestId }: RequestContext, allowed: readonly string[]): Response {
  if (allowed.length === 0 || !path.startsWith("/api/")) throw notFound();
  const body: ErrorBody = { error: "method not allowed", code: "method_not_allowed", requestId };
  return Response.json(body, { status: 405, headers: { allow: allowed.join(", ") } });
}
