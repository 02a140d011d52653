import { useEffect, useRef } from "react";
import { useLocation, useNavigationType } from "react-router";

/** After a navigation: the window's title, the top of the page, and the focus at the new page's beginning. */
export function usePageChange(title: string): void {
  const { pathname } = useLocation();
  const navigationType = useNavigationType();
  const shownPath = useRef(pathname);
  useEffect(() => {
    document.title = title;
  }, [title]);
  useEffect(() => {
    if (shownPath.current === pathname) return;
    shownPath.current = pathname;
    // Going back, the browser itself returns to where the reader was.
    if (navigationType !== "POP") globalThis.scrollTo(0, 0);
    document.querySelector<HTMLElement>("#main")?.focus({ preventScroll: true });
  }, [pathname, navigationType]);
}
