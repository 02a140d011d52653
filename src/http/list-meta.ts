import type { ListMeta } from "./schemas.ts";

/** Which rows of a list are asked for. */
export type Page = {
  page: number;
  perPage: number;
  /** How many rows stand before it. */
  offset: number;
};

/** What comes beside a list. */
export function listMeta({ page, perPage }: Page, totalCount: number, now: Date): ListMeta {
  return {
    currentPage: page,
    perPage,
    totalPages: Math.max(1, Math.ceil(totalCount / perPage)),
    totalCount,
    serverTime: now.toISOString(),
  };
}
