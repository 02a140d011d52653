import { DASHBOARD_PATH, pathOf } from "#src/http/page-request.ts";
import type { Dashboard } from "#src/sign-ins/guard-dashboard.ts";
import type { WatchedQueues } from "./board.ts";

/** The names of these files change with their content. Only those who may look get them. */
const hashedFile = new RegExp(`^${DASHBOARD_PATH}/static/(js|css)/`);
const HASHED_CACHING = "private, max-age=31536000, immutable";

/** The queue dashboard. Its parts are loaded when somebody asks for the first time. */
export function createDashboard(queues: WatchedQueues): Dashboard {
  const load = async () => {
    const { createBoard } = await import("./board.ts");
    return {
      changing: createBoard(queues, { mayChange: true }),
      looking: createBoard(queues, { mayChange: false }),
    };
  };
  let loaded: ReturnType<typeof load> | undefined;
  return async (request, { mayChange }) => {
    loaded ??= load();
    const { changing, looking } = await loaded;
    return dress(await (mayChange ? changing : looking)(request), request);
  };
}

/** Gives the board's answer the policy that it runs under, and takes from its page what that does not allow. */
function dress(answer: Response, request: Request): Response {
  const response = isPage(answer) ? withoutForeignLinks.transform(answer) : answer;
  response.headers.set("content-security-policy", policy);
  if (response.ok && hashedFile.test(pathOf(request))) response.headers.set("cache-control", HASHED_CACHING);
  return response;
}

function isPage(answer: Response): boolean {
  return answer.headers.get("content-type")?.startsWith("text/html") ?? false;
}

/** The page asks a foreign server for its fonts; it does without. */
const withoutForeignLinks = new HTMLRewriter().on('link[href^="http"]', {
  element: (link) => void link.remove(),
});

/**
 * Unlike our own pages this one names the base of its links, and its scripts write style sheets while they run. Whatever
 * is in these, they load nothing from elsewhere.
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
