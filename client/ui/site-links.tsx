import { Link } from "react-router";
import * as words from "#client/base/format/words.ts";
import { OWN_TERMS_PATH, site } from "#src/settings/contract.ts";

/** The terms and the site's own pages, which are no part of the app. */
export function SiteLinks() {
  const { pages } = site();
  return (
    <>
      {pages[0]?.path === OWN_TERMS_PATH ? null : <Link to="/terms">{words.terms}</Link>}
      {pages.map(({ path, title }) => (
        <a key={path} href={path}>
          {title}
        </a>
      ))}
    </>
  );
}
