import { Link, useLocation } from "react-router";
import { Boundary } from "#client/base/deferred/boundary.tsx";
import { type Sync, useSync } from "#client/base/live/connection.ts";
import { usePage } from "#client/base/page/context.ts";
import { Bell, UnreadCount } from "#client/notifications/bell.tsx";
import { useNewestViewer } from "#client/notifications/newest-viewer.ts";
import { NotificationsSheet } from "#client/notifications/notifications-sheet.tsx";
import { Avatar } from "#client/ui/avatar.tsx";
import * as texts from "#client/ui/frame-texts.ts";
import { Icon, type IconName } from "#client/ui/icon.tsx";
import { Brand } from "#client/ui/mark.tsx";
import { currentIn, mainNavigation } from "#client/ui/navigation.ts";
import { BalanceChip } from "#client/wallet/balance-chip.tsx";
import type { Role } from "#db/lists/users.ts";
import { Menu, MENU_ID } from "./menu.tsx";

/** The top bar of every page. */
export function TopBar({ heading, inSession }: { heading: string; inSession: boolean }) {
  const { delaySeconds } = usePage();
  const viewer = useNewestViewer();
  return (
    <header className="topbar">
      <HomeLink />
      <span className="topbar-title">{heading}</span>
      {viewer === null ? (
        <>
          {delaySeconds > 0 ? <SyncBadge delaySeconds={delaySeconds} /> : null}
          <Link className="btn primary sm" to="/users/sign_in">
            {texts.signIn}
          </Link>
        </>
      ) : (
        <>
          <MainNav roles={viewer.roles} />
          {inSession || delaySeconds > 0 ? <SyncBadge delaySeconds={delaySeconds} /> : null}
          <BalanceChip />
          <Bell className="bare only-desktop" />
          <button className="btn bare sq menu-button" type="button" popoverTarget={MENU_ID}>
            <span className="vh">{texts.menu}</span>
            <span className="only-mobile">
              <Icon name="menu" />
              <UnreadCount />
            </span>
            <span className="only-desktop">
              <Avatar name={viewer.username} avatar={viewer.avatar} />
            </span>
          </button>
          {/* Closed at first, so they are hydrated in a task of their own. */}
          <Boundary>
            <Menu viewer={viewer} />
            <NotificationsSheet />
          </Boundary>
        </>
      )}
    </header>
  );
}

function MainNav({ roles }: { roles: readonly Role[] }) {
  const { pathname } = useLocation();
  const items = mainNavigation(roles);
  if (items.length === 0) return null;
  return (
    <nav aria-label={texts.main}>
      {items.map(({ label, path }) => (
        <Link key={path} to={path} aria-current={currentIn(pathname, path)}>
          {label}
        </Link>
      ))}
    </nav>
  );
}

function HomeLink() {
  return (
    <Link className="brand" to="/sessions" aria-label={texts.brandLink}>
      <Brand />
    </Link>
  );
}

const syncLabels: Record<Sync, { icon: IconName; text: string; className: string }> = {
  live: { icon: "true", text: texts.inSync, className: "sync" },
  poor: { icon: "warning", text: texts.slowLink, className: "sync poor" },
  "catching-up": { icon: "clock", text: texts.catchingUp, className: "sync poor" },
  offline: { icon: "offline", text: texts.offline, className: "sync off" },
  refused: { icon: "offline", text: texts.notLive, className: "sync off" },
};

function delayLabel(seconds: number): (typeof syncLabels)[Sync] {
  return { icon: "clock", text: texts.secondsBehind(seconds), className: "sync poor" };
}

/** The state of the connection, in words; while all is well, the page's stream delay. */
function SyncBadge({ delaySeconds }: { delaySeconds: number }) {
  const sync = useSync();
  const isDelayed = delaySeconds > 0 && sync === "live";
  const { icon, text, className } = isDelayed ? delayLabel(delaySeconds) : syncLabels[sync];
  return (
    <>
      {/* Without JavaScript nothing follows the game, and nothing says that it does. */}
      <noscript>
        <a className="btn sm" href="">
          {texts.reload}
        </a>
      </noscript>
      <span className={className} role="status">
        <Icon name={icon} />
        <span className="t">{text}</span>
      </span>
    </>
  );
}
