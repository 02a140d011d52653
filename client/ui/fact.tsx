import type { ReactNode } from "react";

/** A name and its value, inside a <dl>. `className` is that of the value. */
export function Fact({
  label,
  className,
  children,
}: {
  label: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <>
      <dt className="muted small">{label}</dt>
      <dd className={className}>{children}</dd>
    </>
  );
}
