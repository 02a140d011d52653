import { Elysia } from "elysia";
import { notFound } from "#src/base/refusal.ts";
import { allowedMethods, type Route } from "./allowed-methods.ts";
import { pathOf } from "./page-request.ts";
import { requestContextOf } from "./request-context.ts";
import type { ErrorBody } from "./schemas.ts";

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

/**
 * Answers what no route under /api answers: 405 with Allow where the path is known under another method, else 404. It
 * stands before the pages, so that these never see the API.
 * @param listRoutes all routes of the server, once they are there.
 */
export function unknownPaths(listRoutes: () => readonly Route[]) {
  const plugin = new Elysia({ name: "unknown-paths" });
  const answer = ({ request }: { request: Request }) => {
    const known = listRoutes().filter((route) => !route.path.includes("*"));
    const allowed = allowedMethods(known, pathOf(request));
    if (allowed.length === 0) throw notFound();
    return methodNotAllowed(request, allowed);
  };
  for (const method of methods) plugin.route(method, "/api/*", answer);
  return plugin;
}

function methodNotAllowed(request: Request, allowed: readonly string[]): Response {
  const { requestId } = requestContextOf(request);
  const body: ErrorBody = { error: "method not allowed", code: "method_not_allowed", requestId };
  return Response.json(body, { status: 405, headers: { allow: allowed.join(", ") } });
}
