export type Route = { method: string; path: string };

/** The methods that a path of the API can be asked with, in the order they were written; none for an unknown path. */
export function allowedMethods(routes: readonly Route[], path: string): string[] {
  const methods = routes.filter((route) => matches(route.path, path)).map((route) => route.method);
  const withHead = methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
  return [...new Set(withHead)];
}

function matches(pattern: string, path: string): boolean {
  const wanted = pattern.split("/");
  const given = path.replace(/\/$/, "").split("/");
  return (
    wanted.length === given.length &&
    wanted.every((part, index) => (part.startsWith(":") ? given[index] !== "" : part === given[index]))
  );
}
