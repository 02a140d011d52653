import { Link, useSearchParams } from "react-router";
import * as words from "#client/base/format/words.ts";
import type { ListMeta } from "#src/http/schemas.ts";

type PaginationProps = {
  meta: Pick<ListMeta, "currentPage" | "totalPages">;
  /** The name in the address, and of the list, where a page has several lists. */
  param?: string;
  label?: string;
};

/** Links to the first, previous, next and last page. Hidden where there is only one page. Works without JavaScript. */
export function Pagination({ meta, param = "page", label = "Pages" }: PaginationProps) {
  const { currentPage, totalPages } = meta;
  if (totalPages <= 1) return null;
  return (
    <nav className="pager" aria-label={label}>
      <PageLink param={param} page={1} label="First" enabled={currentPage > 1} />
      <PageLink param={param} page={currentPage - 1} label="Prev" enabled={currentPage > 1} />
      <span className="small ink2">{`${currentPage} of ${totalPages}`}</span>
      <PageLink param={param} page={currentPage + 1} label={words.next} enabled={currentPage < totalPages} />
      <PageLink param={param} page={totalPages} label="Last" enabled={currentPage < totalPages} />
    </nav>
  );
}

type PageLinkProps = { param: string; page: number; label: string; enabled: boolean };

function PageLink({ param, page, label, enabled }: PageLinkProps) {
  const [search] = useSearchParams();
  if (!enabled) {
    return (
      <span className="btn sm" role="link" aria-disabled="true">
        {label}
      </span>
    );
  }
  const target = new URLSearchParams(search);
  target.set(param, String(page));
  return (
    <Link className="btn sm" to={{ search: `?${target.toString()}` }} preventScrollReset>
      {label}
    </Link>
  );
}
