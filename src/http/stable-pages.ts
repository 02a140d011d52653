import type { ListMeta } from "./schemas.ts";

// Decision: a list that begins with its newest rows is read on by numbers of pages, as people do, and its links carry how many rows
// there were at the first page. What has come since is skipped, so a program that follows the links reads no row twice.

type PagedRequest = { page: { page: number; perPage: number; offset: number } };

/**
 * Reads a page, and once more further on if rows have come since the first page.
 * @param counted how many rows there were then; undefined where the request does not say.
 */
export async function readStable<Request extends PagedRequest>(
  request: Request,
  counted: number | undefined,
  read: (request: Request) => unknown,
): Promise<unknown> {
  const answer = await read(request);
  if (counted === undefined || request.page.page === 1 || !hasMeta(answer)) return answer;
  const added = answer.meta.totalCount - counted;
  if (added <= 0) return answer;
  const { page } = request;
  return read({ ...request, page: { ...page, offset: page.offset + added } });
}

/** True for a page of a list. */
export function hasMeta(answer: unknown): answer is { meta: ListMeta } {
  if (typeof answer !== "object" || answer === null || !("meta" in answer)) return false;
  const { meta } = answer;
  return typeof meta === "object" && meta !== null && "currentPage" in meta && "totalPages" in meta;
}
