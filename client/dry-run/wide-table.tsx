import type { ReactNode } from "react";

/** A table that scrolls by itself where the screen is narrow; with the arrow keys too. */
export function WideTable({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="strip-window" tabIndex={0} role="group" aria-label={label}>
      <table className="table">{children}</table>
    </div>
  );
}
