import { Link, useLocation } from "react-router";
import { useViewer } from "../context.ts";
import { currentIn, mainNavigation, type NavItem } from "../navigation.ts";
import { Bell, UnreadCount } from "../notifications/bell.tsx";
import { NotificationsSheet } from "../notifications/notifications-sheet.tsx";
import { Avatar } from "../ui/avatar.tsx";
import { Icon } from "../ui/icon.tsx";
import { Brand } from "../ui/mark.tsx";
import { useOwnAvatar } from "../users/own-avatar.ts";
import { BalanceChip } from "../wallet/balance-chip.tsx";
import { Menu, MENU_ID } from "./menu.tsx";
import { SyncBadge } from "./sync-badge.tsx";

/** The head of every page. */
export function TopBar({ heading, inSession }: { heading: string; inSession: boolean }) {
  const viewer = useViewer();
  const avatar = useOwnAvatar();
  return (
    <header className="topbar">
      <Link className="brand" to="/sessions" aria-label="Called It, sessions">
        <Brand />
      </Link>
      <span className="topbar-title">{heading}</span>
      {viewer === null ? (
        <Link className="btn primary sm" to="/users/sign_in">
          Sign in
        </Link>
      ) : (
        <>
          <MainNav items={mainNavigation(viewer)} />
          {inSession ? <SyncBadge /> : null}
          <BalanceChip />
          <Bell className="bare only-desktop" />
          <button className="btn bare sq menu-button" type="button" popoverTarget={MENU_ID}>
            <span className="vh">Menu</span>
            <span className="only-mobile">
              <Icon name="menu" />
              <UnreadCount />
            </span>
            <span className="only-desktop">
              <Avatar name={viewer.username} avatar={avatar} />
            </span>
          </button>
          <Menu viewer={viewer} />
          <NotificationsSheet />
        </>
      )}
    </header>
  );
}

function MainNav({ items }: { items: readonly NavItem[] }) {
  const { pathname } = useLocation();
  if (items.length === 0) return null;
  return (
    <nav aria-label="Main">
      {items.map(({ label, path }) => (
        <Link key={path} to={path} aria-current={currentIn(pathname, path)}>
          {label}
        </Link>
      ))}
    </nav>
  );
}
