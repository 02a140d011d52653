import type { ReactNode } from "react";

/** A page with a title, actions beside it, and a body. It gets the focus after a navigation. */
export function PageLayout({
  title,
  actions,
  children,
}: {
  title: string;
  actions?: ReactNode;
  children: ReactNode;
}) {
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

/** A titled section. `aside` is shown at the end of its title line. */
export function Panel({
  title,
  aside,
  children,
}: {
  title: ReactNode;
  aside?: ReactNode;
  children: ReactNode;
}) {
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
