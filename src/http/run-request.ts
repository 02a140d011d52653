import { runFor } from "#src/base/cause.ts";
import { countRequest } from "#src/base/instruments.ts";
import { inSpan } from "#src/base/spans.ts";
import { isPageRequest, pathOf } from "./page-request.ts";
import type { RequestContext } from "./request-context.ts";

/** The status of an upgrade to a websocket. */
const SWITCHED = 101;
/** Files and health checks have no endpoint. */
const otherRoutes: [start: string, route: string][] = [
  ["/assets/", "/assets/:name"],
  ["/admin/queues", "/admin/queues"],
  ["/dev/mail", "/dev/mail"],
];
const plainRoutes = new Set([
  "/up",
  "/ready",
  "/version",
  "/metrics",
  "/cable",
  "/favicon.ico",
  "/robots.txt",
  "/manifest.webmanifest",
  "/service-worker.js",
]);

/**
 * Answers a request as the cause of all that it leads to, in a span of its own, and counts the answer.
 * @param traceparent the span of the trusted proxy that sent the request; null without one.
 */
export async function runRequest(
  request: Request,
  { context, traceparent }: { context: RequestContext; traceparent: string | null },
  answer: () => Promise<Response | undefined>,
): Promise<Response | undefined> {
  const { method } = request;
  const response = await runFor({ requestId: context.requestId, span: null }, () =>
    inSpan(
      method,
      async (span) => {
        const answered = await answer();
        if (span !== null) {
          const route = routeOf(request, context) ?? "none";
          span.updateName(`${method} ${route}`);
          span.setAttribute("http.route", route);
          span.setAttribute("http.response.status_code", answered?.status ?? SWITCHED);
        }
        return answered;
      },
      { kind: "server", parent: traceparent, attributes: { "http.request.method": method } },
    ),
  );
  countRequest({
    method,
    route: routeOf(request, context),
    status: response?.status ?? SWITCHED,
    tookMs: performance.now() - context.startedAtMs,
  });
  return response;
}

/** The pattern of a request's path; null for a path that led nowhere. */
function routeOf(request: Request, { route }: RequestContext): string | null {
  if (route !== null) return route;
  const path = pathOf(request);
  if (plainRoutes.has(path)) return path;
  const known = otherRoutes.find(([start]) => path.startsWith(start));
  if (known !== undefined) return known[1];
  // Such as one that led to another page.
  return isPageRequest(request) ? "page" : null;
}
