import { Elysia } from "elysia";
import { isKnown, tagOf } from "./answer-tag.ts";
import type { ListMeta } from "./contract.ts";
import { pageLinks } from "./page-links.ts";

/** Whoever keeps the answer asks each time whether it still holds; nobody keeps it for others. */
const KEPT = "private, no-cache";

/**
 * Lets whoever has an answer already be told so: 304. Lists say where their other pages are. What is not tagged may not be
 * kept at all (security-headers.ts).
 * @param isTagged by "GET /api/v1/sessions/:id".
 */
export function taggingReads(isTagged: (endpoint: string) => boolean) {
  return new Elysia({ name: "tagging-reads" }).onAfterHandle(
    { as: "global" },
    ({ request, route, set, responseValue: answer }) => {
      if (typeof answer !== "object" || answer === null || answer instanceof Response) return undefined;
      if (isPage(answer)) set.headers["link"] = pageLinks(request.url, answer.meta);
      if (!isTagged(`GET ${route}`) || !isRead(request)) return undefined;
      const text = JSON.stringify(answer);
      const tag = tagOf(answer, text);
      Object.assign(set.headers, { etag: tag, "cache-control": KEPT, vary: "cookie" });
      if (isKnown(request.headers.get("if-none-match"), tag)) return new Response(null, { status: 304 });
      return new Response(text, { headers: { "content-type": "application/json" } });
    },
  );
}

const isRead = ({ method }: Request) => method === "GET" || method === "HEAD";

function isPage(answer: object): answer is { meta: ListMeta } {
  if (!("meta" in answer)) return false;
  const { meta } = answer;
  return typeof meta === "object" && meta !== null && "currentPage" in meta && "totalPages" in meta;
}
