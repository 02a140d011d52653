import type { ReactNode } from "react";
import { Icon, type IconName } from "./icon.tsx";

/** What stands where there is nothing yet: what it would be, and what to do next. */
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
