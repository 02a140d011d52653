import { DASHBOARD_PATH } from "#src/http/page-request.ts";
import type { Dashboard } from "#src/guard-dashboard.ts";
import type { Queues } from "./queues.ts";

const STATIC_PATH = `${DASHBOARD_PATH}/static/`;
/** The names of its files change with their content, and only those who may look get them. */
const STATIC_CACHING = "private, max-age=31536000, immutable";

/** The queue dashboard. Its parts are loaded when somebody asks for the first time. */
export function createDashboard(queues: Pick<Queues, "transitions">): Dashboard {
  const load = async () => {
    const { createBoard } = await import("./board.ts");
    return {
      changing: createBoard(queues, { mayChange: true }),
      looking: createBoard(queues, { mayChange: false }),
    };
  };
  let loaded: ReturnType<typeof load> | undefined;
  return async (request, { mayChange, nonce }) => {
    loaded ??= load();
    const { changing, looking } = await loaded;
    return dress(await (mayChange ? changing : looking)(request), { request, nonce });
  };
}

/** Gives the board's answer the policy that it runs under, and takes from its page what that does not allow. */
function dress(answer: Response, { request, nonce }: { request: Request; nonce: string }): Response {
  const response = isPage(answer) ? ownFilesOnly(nonce).transform(answer) : answer;
  response.headers.set("content-security-policy", policy(nonce));
  if (response.ok && new URL(request.url).pathname.startsWith(STATIC_PATH)) {
    response.headers.set("cache-control", STATIC_CACHING);
  }
  return response;
}

function isPage(answer: Response): boolean {
  return answer.headers.get("content-type")?.startsWith("text/html") ?? false;
}

/** The page asks a foreign server for its fonts: it does without. Its style sheets within are let in by the nonce. */
function ownFilesOnly(nonce: string): HTMLRewriter {
  return new HTMLRewriter()
    .on('link[href^="http"]', { element: (link) => void link.remove() })
    .on("style", { element: (style) => void style.setAttribute("nonce", nonce) });
}

/** Unlike our own pages this one names the base of its links. */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "base-uri 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
