import type { ReactNode } from "react";
import { Icon, type IconName } from "./icon.tsx";

type EmptyStateProps = { icon: IconName; title: string; children: ReactNode };

/** Shown instead of an empty list: what would be here, and what to do next. */
export function EmptyState({ icon, title, children }: EmptyStateProps) {
  return (
    <div className="blank">
      <Icon name={icon} />
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** The same as a panel of its own. */
export function EmptyPanel(state: EmptyStateProps) {
  return (
    <section className="panel">
      <EmptyState {...state} />
    </section>
  );
}
