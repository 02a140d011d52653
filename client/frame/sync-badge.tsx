import { type Sync, useSync } from "../sync.ts";
import { Icon, type IconName } from "../ui/icon.tsx";

const looks: Record<Sync, { icon: IconName; text: string; className: string }> = {
  live: { icon: "true", text: "In sync", className: "sync" },
  poor: { icon: "warning", text: "Slow link", className: "sync poor" },
  offline: { icon: "offline", text: "Offline", className: "sync off" },
};

/** How the page stands with the server, in words. */
export function SyncBadge() {
  const { icon, text, className } = looks[useSync()];
  return (
    <span className={className} role="status">
      <Icon name={icon} />
      <span className="t">{text}</span>
    </span>
  );
}
