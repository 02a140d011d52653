import type { Queues } from "#src/base/queues.ts";
import { DASHBOARD_PATH } from "#src/http/request-context.ts";
import type { Dashboard } from "#src/people/sign-ins/guard-dashboard.ts";
import { site } from "#src/settings/contract.ts";
import { boardNavigation, BOARD_STYLE } from "./board-look.ts";

/** These files have a hash of their content in their names. Only admins and operators get them. */
const hashedFile = new RegExp(`^${DASHBOARD_PATH}/static/(js|css)/`);
const HASHED_CACHING = "private, max-age=31536000, immutable";

/**
 * Creates the handler of the queue dashboard. Bull Board is loaded with the first request. Who may see it is decided in
 * src/people/sign-ins/guard-dashboard.ts; src/main.ts joins the two.
 */
export function createDashboard(queues: Pick<Queues, "byName">): Dashboard {
  const load = async () => (await import("./board.ts")).createBoard(queues);
  let loaded: ReturnType<typeof load> | undefined;
  return async (request) => {
    loaded ??= load();
    return secure(await (await loaded)(request), request);
  };
}

/** Adds the content security policy to Bull Board's response, and puts its page into the product's navigation and look. */
function secure(answer: Response, request: Request): Response {
  const response = isPage(answer) ? inOurLook.transform(answer) : answer;
  response.headers.set("content-security-policy", policy);
  if (response.ok && hashedFile.test(new URL(request.url).pathname))
    response.headers.set("cache-control", HASHED_CACHING);
  return response;
}

function isPage(answer: Response): boolean {
  return answer.headers.get("content-type")?.startsWith("text/html") ?? false;
}

/** Bull Board loads its fonts from a foreign server, which the policy blocks. Without them the page works as well. */
const inOurLook = new HTMLRewriter()
  .on('link[href^="http"]', { element: (link) => void link.remove() })
  .on("head", { element: (head) => void head.append(BOARD_STYLE, { html: true }) })
  .on("body", {
    element: (body) => void body.prepend(boardNavigation(Bun.escapeHTML(site().name)), { html: true }),
  });

/**
 * Unlike the policy of the product's pages, this one allows a `<base>` and inline styles: Bull Board's scripts write style
 * sheets while they run. Nothing can be loaded from another host.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");
