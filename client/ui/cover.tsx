import type { ReactNode } from "react";
import { GiantMark, HomeLink } from "./mark.tsx";
import { SiteLinks } from "./site-links.tsx";

type CoverProps = {
  /** Shown opposite the brand. */
  corner?: ReactNode;
  /** Two columns where there is room, without the large logo: there is text on the ground. */
  wide?: boolean;
  children: ReactNode;
};

/** A page with one card and without the top bar, such as the sign-in. */
export function Cover({ corner, wide = false, children }: CoverProps) {
  return (
    <main className="cover" id="main" tabIndex={-1}>
      {wide ? null : <GiantMark />}
      <div className="row">
        <HomeLink short="always" />
        <span className="push">{corner}</span>
      </div>
      <div className={wide ? "cover-card door" : "cover-card"}>{children}</div>
      <footer className="small">
        <SiteLinks />
      </footer>
    </main>
  );
}
