import type { ListMeta } from "./schemas.ts";

export type Page = {
  page: number;
  perPage: number;
  offset: number;
};

/**
 * The number of rows of a list. A last page shows it; the rows are counted only if there may be more.
 * @param shown how many rows the page has.
 */
export async function totalOf(
  { perPage, offset }: Page,
  shown: number,
  countRows: () => Promise<number>,
): Promise<number> {
  const isLast = shown < perPage && (shown > 0 || offset === 0);
  return isLast ? offset + shown : countRows();
}

/** Which rows make a page. `fromEnd`: counted from the end of the list, in reverse order. */
export type Slice = { limit: number; offset: number; fromEnd: boolean };

/**
 * Where to read a page of a list whose length is known: from its nearer end, so that the last page skips no rows. The limit is 0
 * after the last page.
 */
export function sliceOf({ perPage, offset }: Page, totalCount: number): Slice {
  const limit = Math.max(0, Math.min(perPage, totalCount - offset));
  const after = totalCount - offset - limit;
  return after < offset
    ? { limit, offset: Math.max(0, after), fromEnd: true }
    : { limit, offset, fromEnd: false };
}

export function isWholeList({ perPage, offset }: Page, rows: readonly unknown[]): boolean {
  return offset === 0 && rows.length <= perPage;
}

export function listMeta({ page, perPage }: Page, totalCount: number, now: Date): ListMeta {
  return {
    currentPage: page,
    perPage,
    totalPages: Math.max(1, Math.ceil(totalCount / perPage)),
    totalCount,
    serverTime: now.toISOString(),
  };
}
