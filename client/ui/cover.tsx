import type { ReactNode } from "react";
import { Link } from "react-router";
import { Brand, GiantMark } from "./mark.tsx";
import * as texts from "./ui-texts.ts";

/** A page with one card and without the top bar, such as the sign-in. `corner` is shown opposite the brand. */
export function Cover({ corner, children }: { corner?: ReactNode; children: ReactNode }) {
  return (
    <main className="cover" id="main" tabIndex={-1}>
      <GiantMark />
      <div className="row">
        <Link className="brand" to="/sessions" aria-label={texts.brandLink}>
          <Brand short="always" />
        </Link>
        <span className="push">{corner}</span>
      </div>
      <div className="cover-card">{children}</div>
      <footer className="small">
        <Link to="/terms">{texts.terms}</Link>
      </footer>
    </main>
  );
}
