import type { ReactNode } from "react";
import { Link, type LinkProps } from "react-router";

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

export function ButtonLink(link: LinkProps) {
  return <Link className="btn" {...link} />;
}

type PanelProps = {
  title: ReactNode;
  /** Shown at the end of the title line. */
  aside?: ReactNode;
  /** How its content is laid out, such as "stack". Without it the content has no space around it, as a list. */
  body?: string;
  children: ReactNode;
};

export function Panel({ title, aside, body, children }: PanelProps) {
  return (
    <section className="panel">
      <header>
        <h2>{title}</h2>
        {aside === undefined || aside === null ? null : <span className="push small ink2">{aside}</span>}
      </header>
      {body === undefined ? children : <div className={`body ${body}`}>{children}</div>}
    </section>
  );
}
