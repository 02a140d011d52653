import type { ReactNode } from "react";

type FactProps = { label: string; className?: string; children: ReactNode };

/** A name and its value, inside a <dl>. `className` is that of the value. */
export function Fact({ label, className, children }: FactProps) {
  return (
    <>
      <dt className="muted small">{label}</dt>
      <dd className={className}>{children}</dd>
    </>
  );
}
