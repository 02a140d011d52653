import { Elysia } from "elysia";
import { notFound } from "#src/base/refusal.ts";
import { pathOf } from "./page-request.ts";
import { requestContextOf } from "./request-context.ts";
import type { ErrorBody } from "./schemas.ts";

type Route = { method: string; path: string };

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

/**
 * Answers requests under /api that no route answers: 405 with Allow if the path exists under another method, else 404. It is
 * registered before the pages, so that they never get requests for the API.
 * @param listRoutes returns all routes of the server; called once they are registered.
 */
export function unknownPaths(listRoutes: () => readonly Route[]) {
  const plugin = new Elysia({ name: "unknown-paths" });
  const answer = ({ request }: { request: Request }) => {
    const routes = listRoutes().filter((route) => !route.path.includes("*"));
    const allowed = allowedMethods(routes, pathOf(request));
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

/** The methods that a path takes, in the order of the routes; none for an unknown path. */
function allowedMethods(routes: readonly Route[], path: string): string[] {
  // Divided once for all routes: it may have thousands of parts.
  const parts = path.replace(/\/$/, "").split("/");
  const matching = routes.filter((route) => matches(route.path, parts)).map((route) => route.method);
  const withHead = matching.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
  return [...new Set(withHead)];
}

function matches(pattern: string, pathParts: readonly string[]): boolean {
  const patternParts = pattern.split("/");
  return (
    patternParts.length === pathParts.length &&
    patternParts.every((part, index) =>
      part.startsWith(":") ? pathParts[index] !== "" : part === pathParts[index],
    )
  );
}
