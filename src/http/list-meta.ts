import type { ListMeta } from "./schemas.ts";

/** The requested page of a list. */
export type Page = {
  page: number;
  perPage: number;
  /** The number of rows before this page. */
  offset: number;
};

/** The metadata in the answer of a list. */
export function listMeta({ page, perPage }: Page, totalCount: number, now: Date): ListMeta {
  return {
    currentPage: page,
    perPage,
    totalPages: Math.max(1, Math.ceil(totalCount / perPage)),
    totalCount,
    serverTime: now.toISOString(),
  };
}
