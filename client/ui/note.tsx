import type { ReactNode } from "react";
import { Icon, type IconName } from "./icon.tsx";

const icons: Record<"bad" | "warn" | "ok" | "plain", IconName> = {
  bad: "warning",
  warn: "warning",
  ok: "tick",
  plain: "info",
};

/** A short message within the page. Screen readers announce a "bad" one at once. */
export function Note({ tone = "plain", children }: { tone?: keyof typeof icons; children: ReactNode }) {
  return (
    <div
      className={tone === "plain" ? "note" : `note ${tone}`}
      role={tone === "bad" ? "alert" : "status"}
      tabIndex={tone === "bad" ? -1 : undefined}
    >
      <Icon name={icons[tone]} />
      <span>{children}</span>
    </div>
  );
}
