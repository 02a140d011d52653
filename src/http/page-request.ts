import { camelCase } from "./contract.ts";

/** What is below these paths is for programs: no page is there. */
const programPath = /^\/(api|cable|dev)(\/|$)/;
/** The path of the queue dashboard. */
export const DASHBOARD_PATH = "/admin/queues";
const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);
const formTypes = ["application/x-www-form-urlencoded", "multipart/form-data"];

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

/** True for the queue dashboard and all paths below it. */
export function isDashboardPath(path: string): boolean {
  return path === DASHBOARD_PATH || path.startsWith(`${DASHBOARD_PATH}/`);
}

/** True for a method that changes nothing. */
export function isSafeMethod({ method }: Request): boolean {
  return safeMethods.has(method);
}

/** True if a browser asks for a page or submits a form. False for the API, and for requests that accept JSON. */
export function asksForPage(request: Request, path: string): boolean {
  if (programPath.test(path)) return false;
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
