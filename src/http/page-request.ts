import { camelCase } from "./contract.ts";

/**
 * Files, health checks and the API reference: the same for every caller, so requests for them are not authenticated. The metrics and
 * the version authenticate their callers themselves.
 */
const publicPath =
  /^\/(assets|up|ready|metrics|version|api\/v1\/(storage\/blobs|shared|logos|sessions\/[^/]+\/preview\.png|preview\.png))(\/|$)|^\/(favicon|manifest\.webmanifest$|service-worker\.js$|robots\.txt$)|^\/api(\/openapi\.json)?$/;
const programPath = /^\/(api|cable|dev)(\/|$)/;
/** The path of the queue dashboard. */
export const DASHBOARD_PATH = "/admin/queues";
/** The path that takes the bytes of a direct upload. The signed token in it is the permission. */
const uploadPath = /^\/api\/v1\/storage\/uploads\/[^/]+$/;
/** The pages with a form that carries a file: an avatar, and the logo of a session or of a blueprint. */
const fileFormPath = /^\/(profile\/avatar|sessions\/[^/]+\/edit|blueprints\/[^/]+)$/;
const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);
const formTypes = ["application/x-www-form-urlencoded", "multipart/form-data"];

const paths = new WeakMap<Request, string>();

/** The path of a request, without its query. Cached, because it is needed many times per request. */
export function pathOf(request: Request): string {
  const known = paths.get(request);
  if (known !== undefined) return known;
  const path = new URL(request.url).pathname;
  paths.set(request, path);
  return path;
}

/** False for a path with an escape that is no UTF-8, such as %ff: it is the name of nothing, and no router can read it. */
export function isReadablePath(path: string): boolean {
  if (!path.includes("%")) return true;
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** True for an address that gives a parameter twice, of which two readers may take different ones. */
export function repeatsParameter({ url }: Request): boolean {
  const start = url.indexOf("?");
  if (start === -1 || !url.includes("&", start)) return false;
  const names = Array.from(new URLSearchParams(url.slice(start)).keys(), camelCase);
  return new Set(names).size < names.length;
}

/** True for a path whose answers do not depend on the caller. */
export function isPublicPath(path: string): boolean {
  return publicPath.test(path);
}

/** True for the path of the payment webhooks, whose senders sign their messages and have no page or token of ours. */
export function isSignedPath(path: string): boolean {
  return path === "/api/v1/payments/webhooks";
}

/** True if the body is the file of a direct upload. */
export function isUploadPath(path: string): boolean {
  return uploadPath.test(path);
}

/** True if the request carries a file: the bytes of a direct upload, or a form that can have one. */
export function carriesFile(request: Request): boolean {
  const path = pathOf(request);
  return isUploadPath(path) || (fileFormPath.test(path) && isPageRequest(request));
}

/** True for the queue dashboard and all paths below it. */
export function isDashboardPath(path: string): boolean {
  return path === DASHBOARD_PATH || path.startsWith(`${DASHBOARD_PATH}/`);
}

/** True for a method that changes nothing. */
export function isSafeMethod({ method }: Request): boolean {
  return safeMethods.has(method);
}

/**
 * True if a browser requests a page or submits a form. False for the API, for files, and for requests that accept JSON.
 * Some paths serve both; /users/sign_in is one.
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
