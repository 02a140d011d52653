/** Files and signs of life: the same for everybody, so that nobody needs to be known. */
const publicPath = /^\/(assets|up|ready)(\/|$)|^\/favicon/;
const programPath = /^\/(api|cable)(\/|$)/;
/** Where the queue dashboard is. */
export const DASHBOARD_PATH = "/admin/queues";
const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);
const formTypes = ["application/x-www-form-urlencoded", "multipart/form-data"];

/** The path of a request, without its query. */
export function pathOf(request: Request): string {
  return new URL(request.url).pathname;
}

/** True for a path whose answers do not depend on who asks. */
export function isPublicPath(path: string): boolean {
  return publicPath.test(path);
}

/** True for the queue dashboard and all below it. */
export function isDashboardPath(path: string): boolean {
  return path === DASHBOARD_PATH || path.startsWith(`${DASHBOARD_PATH}/`);
}

/** True for a request that only looks. */
export function isSafeMethod({ method }: Request): boolean {
  return safeMethods.has(method);
}

/**
 * True where a person's browser asks for a page, or sends a form from one; false for the API, for files, and where the
 * request asks for JSON. The same paths may serve both: /users/sign_in does.
 */
export function isPageRequest(request: Request): boolean {
  const path = pathOf(request);
  if (publicPath.test(path) || programPath.test(path)) return false;
  if (request.method === "GET" || request.method === "HEAD") return !asksForJson(request);
  return request.method === "POST" && isForm(request);
}

function isForm(request: Request): boolean {
  const type = request.headers.get("content-type")?.toLowerCase() ?? "";
  return formTypes.some((form) => type.startsWith(form));
}

function asksForJson(request: Request): boolean {
  const accept = request.headers.get("accept") ?? "";
  return accept.includes("application/json") && !accept.includes("text/html");
}
