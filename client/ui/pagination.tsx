import { Link, useSearchParams } from "react-router";
import type { ListMeta } from "#src/http/schemas.ts";
import * as texts from "./late-texts.ts";

/** Links to the first, previous, next and last page. Hidden where there is only one page. Works without JavaScript. */
export function Pagination({ meta }: { meta: Pick<ListMeta, "currentPage" | "totalPages"> }) {
  const { currentPage, totalPages } = meta;
  if (totalPages <= 1) return null;
  return (
    <nav className="pager" aria-label={texts.pages}>
      <PageLink page={1} label={texts.first} enabled={currentPage > 1} />
      <PageLink page={currentPage - 1} label={texts.prev} enabled={currentPage > 1} />
      <span className="small ink2">{texts.pageOf(currentPage, totalPages)}</span>
      <PageLink page={currentPage + 1} label={texts.next} enabled={currentPage < totalPages} />
      <PageLink page={totalPages} label={texts.last} enabled={currentPage < totalPages} />
    </nav>
  );
}

function PageLink({ page, label, enabled }: { page: number; label: string; enabled: boolean }) {
  const [search] = useSearchParams();
  if (!enabled) {
    return (
      <span className="btn sm" role="link" aria-disabled="true">
        {label}
      </span>
    );
  }
  const target = new URLSearchParams(search);
  target.set("page", String(page));
  return (
    <Link className="btn sm" to={{ search: `?${target.toString()}` }} preventScrollReset>
      {label}
    </Link>
  );
}
