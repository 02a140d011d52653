import type { ListMeta } from "./schemas.ts";

/**
 * The Link header of a page of a list: where its first, last, next and previous page are.
 * @param url of this page; its filters go along.
 */
export function pageLinks(url: string, { currentPage, totalPages }: ListMeta): string {
  const { pathname, searchParams } = new URL(url);
  const pages = {
    first: 1,
    last: totalPages,
    next: currentPage < totalPages ? currentPage + 1 : null,
    prev: currentPage > 1 ? Math.min(currentPage - 1, totalPages) : null,
  };
  return Object.entries(pages)
    .flatMap(([rel, page]) => {
      if (page === null) return [];
      const query = new URLSearchParams(searchParams);
      query.set("page", String(page));
      return [`<${pathname}?${query.toString()}>; rel="${rel}"`];
    })
    .join(", ");
}
