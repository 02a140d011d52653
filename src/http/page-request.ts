/** Files, signs of life and the API's reference: the same for everybody, so that nobody needs to be known. */
const publicPath = /^\/(assets|up|ready|api\/v1\/storage\/blobs)(\/|$)|^\/favicon|^\/api(\/openapi\.json)?$/;
const programPath = /^\/(api|cable|dev)(\/|$)/;
/** Where the queue dashboard is. */
export const DASHBOARD_PATH = "/admin/queues";
/** Where the bytes of a direct upload are sent: the address itself says that it may be done. */
const uploadPath = /^\/api\/v1\/storage\/uploads\/[^/]+$/;
/** The one page whose form carries a file. */
const PICTURE_FORM_PATH = "/profile/avatar";
const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);
const formTypes = ["application/x-www-form-urlencoded", "multipart/form-data"];

const paths = new WeakMap<Request, string>();

/** The path of a request, without its query. Asking again costs nothing: a request is asked many times. */
export function pathOf(request: Request): string {
  const known = paths.get(request);
  if (known !== undefined) return known;
  const path = new URL(request.url).pathname;
  paths.set(request, path);
  return path;
}

/** True for a path whose answers do not depend on who asks. */
export function isPublicPath(path: string): boolean {
  return publicPath.test(path);
}

/** True where programs call that sign what they send and know no page of ours. */
export function isSignedPath(path: string): boolean {
  return path === "/api/v1/payments/webhooks";
}

/** True where the body is the file of an upload that was signed before. */
export function isUploadPath(path: string): boolean {
  return uploadPath.test(path);
}

/** True where the request carries a file: the bytes of an upload, or the form with the picture. */
export function carriesFile(request: Request): boolean {
  const path = pathOf(request);
  return isUploadPath(path) || (path === PICTURE_FORM_PATH && isPageRequest(request));
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
