import { isKnown, tagOf } from "./answer-tag.ts";
import type { Endpoint } from "./endpoint.ts";
import { pageLinks } from "./page-links.ts";
import type { ListMeta } from "./schemas.ts";

/** Whoever keeps the answer asks each time whether it still holds; nobody keeps it for others. */
const KEPT = "private, no-cache";

type Exchanged = { request: Request; set: { headers: Record<string, string | number> } };

/**
 * Finishes an endpoint's answer. A page of a list says where the others are; where the line has `etag`, the answer has one, and
 * whoever has that already is told so: 304. What has none may not be kept at all (security-headers.ts).
 * @param answer as the handler made it.
 */
export function tagRead(
  answer: unknown,
  { paged, etag }: Pick<Endpoint, "paged" | "etag">,
  { request, set }: Exchanged,
): unknown {
  if (typeof answer !== "object" || answer === null) return answer;
  if (paged === true && isPage(answer)) set.headers["link"] = pageLinks(request.url, answer.meta);
  if (etag !== true) return answer;
  const text = JSON.stringify(answer);
  const tag = tagOf(answer, text);
  Object.assign(set.headers, { etag: tag, "cache-control": KEPT, vary: "cookie" });
  if (isKnown(request.headers.get("if-none-match"), tag)) return new Response(null, { status: 304 });
  return new Response(text, { headers: { "content-type": "application/json" } });
}

function isPage(answer: object): answer is { meta: ListMeta } {
  if (!("meta" in answer)) return false;
  const { meta } = answer;
  return typeof meta === "object" && meta !== null && "currentPage" in meta && "totalPages" in meta;
}
