import type { ReactNode } from "react";
import { Icon, type IconName } from "./icon.tsx";

/** Shown instead of an empty list: what would be here, and what to do next. */
export function EmptyState({
  icon,
  title,
  children,
}: {
  icon: IconName;
  title: string;
  children: ReactNode;
}) {
  return (
    <div className="blank">
      <Icon name={icon} />
      <h2>{title}</h2>
      {children}
    </div>
  );
}
