import type { ReactNode } from "react";

type PageLayoutProps = { title: string; actions?: ReactNode; children: ReactNode };

/** A page with a title, actions beside it, and a body. It gets the focus after a navigation. */
export function PageLayout({ title, actions, children }: PageLayoutProps) {
  return (
    <main className="page" id="main" tabIndex={-1}>
      <header>
        <h1>{title}</h1>
        {actions}
      </header>
      {children}
    </main>
  );
}

type PanelProps = { title: ReactNode; aside?: ReactNode; children: ReactNode };

/** A titled section. `aside` is shown at the end of its title line. */
export function Panel({ title, aside, children }: PanelProps) {
  return (
    <section className="panel">
      <header>
        <h2>{title}</h2>
        {aside === undefined || aside === null ? null : <span className="push small ink2">{aside}</span>}
      </header>
      {children}
    </section>
  );
}
