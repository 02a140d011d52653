import type { ReactNode } from "react";

/** A section that is long: closed at first. */
export function FoldedPanel({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className="panel event-editor">
      <summary>{title}</summary>
      {children}
    </details>
  );
}
