import { type ReactNode, useEffect, useRef } from "react";
import { Link, Outlet, useLoaderData, useLocation, useNavigation, useNavigationType } from "react-router";
import { Boundary } from "#client/base/deferred/boundary.tsx";
import * as words from "#client/base/format/words.ts";
import { type Sync, useSync } from "#client/base/live/connection.ts";
import { usePage, useViewer } from "#client/base/page/context.ts";
import type { FrameData } from "#client/base/page/load-frame.ts";
import { useChatParts } from "#client/chat/use-chat-parts.ts";
import { Bell, UnreadCount } from "#client/notifications/bell.tsx";
import { useNewestViewer } from "#client/notifications/newest-viewer.ts";
import { NotificationsSheet } from "#client/notifications/notifications-sheet.tsx";
import { LiveMessages } from "#client/results/live-messages.tsx";
import { usePhoneParts } from "#client/screens/action/phone/use-phone-parts.ts";
import { Avatar } from "#client/ui/avatar.tsx";
import { Icon, type IconName } from "#client/ui/icon.tsx";
import { HomeLink } from "#client/ui/mark.tsx";
import {
  CHAT_PATH,
  currentIn,
  mainNavigation,
  type Tab,
  tabsOfProfile,
  tabsOfSession,
} from "#client/ui/navigation.ts";
import { Toasts } from "#client/ui/toast.tsx";
import { useHere } from "#client/ui/use-here.ts";
import { BalanceChip } from "#client/wallet/balance-chip.tsx";
import { WalletProvider } from "#client/wallet/wallet-state.tsx";
import type { Role } from "#db/lists/users.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import { ErrorScreen } from "./error-screen.tsx";
import { Menu, MENU_ID } from "./menu.tsx";

const syncLabels: Record<Sync, { icon: IconName; text: string; className: string }> = {
  live: { icon: "true", text: "In sync", className: "sync" },
  poor: { icon: "warning", text: "Slow link", className: "sync poor" },
  "catching-up": { icon: "clock", text: "Catching up", className: "sync poor" },
  offline: { icon: "offline", text: "Offline", className: "sync off" },
  refused: { icon: "offline", text: "Not live", className: "sync off" },
};

/** The root of the app: the providers that every screen uses, and the frame around it. */
export function App() {
  const { wallet } = useLoaderData<FrameData>();
  return (
    <WalletProvider loaded={wallet}>
      <LiveMessages />
      <Frame>
        <Outlet />
      </Frame>
    </WalletProvider>
  );
}

/** The root when the frame's own data could not be loaded: shows the error, without a balance. */
export function AppWithoutData() {
  return (
    <WalletProvider loaded={null}>
      <Frame>
        <ErrorScreen />
      </Frame>
    </WalletProvider>
  );
}

/** The frame around every screen: progress bar, top bar, tabs and toasts. */
function Frame({ children }: { children: ReactNode }) {
  const here = useHere();
  usePageChange(here.title);
  if (here.layout === "stage") return children;
  const bare = here.layout === "bare";
  return (
    <div className={here.layout === "play" ? "play" : "frame"}>
      <a className="skip" href="#main">
        Skip to the page
      </a>
      <Progress />
      {bare ? null : <TopBar heading={here.heading} inSession={here.session !== null} />}
      {bare ? null : <Tabs session={here.session} />}
      {here.layout === "page" ? <LiveBar session={here.session} /> : null}
      {children}
      <Toasts>
        <NotLive />
      </Toasts>
    </div>
  );
}

function Tabs({ session }: { session: SessionView | null }) {
  const { pathname } = useLocation();
  const viewer = useViewer();
  if (viewer === null) return null;
  // The profile is for accounts: a guest has the page of breaks alone.
  const profile = pathname.startsWith("/profile") && !viewer.guest;
  if (session === null && !profile) return null;
  return (
    <nav className="tabs" aria-label={session === null ? words.profile : words.session}>
      {(session === null ? tabsOfProfile(viewer) : tabsOfSession(session, viewer)).map((tab) => (
        <TabLink
          key={tab.path}
          tab={tab}
          current={isCurrent(tab, pathname)}
          locked={viewer.guest && tab.needsAccount === true}
        />
      ))}
    </nav>
  );
}

/** History and wallet include the pages below them; other tabs are current on their own page only. */
function isCurrent({ path }: Tab, pathname: string): boolean {
  return pathname === path || (/\/(?:history|wallet)$/.test(path) && pathname.startsWith(`${path}/`));
}

function TabLink({ tab, current, locked }: { tab: Tab; current: boolean; locked: boolean }) {
  return (
    <Link
      to={tab.path}
      aria-current={current && !locked ? "page" : undefined}
      title={locked ? "With an account" : undefined}
    >
      <span>{tab.label}</span>
      {locked ? <Icon name="lock" size="s" /> : null}
      {tab.path.endsWith(CHAT_PATH) ? <UnreadMessages /> : null}
    </Link>
  );
}

/** Only viewers with a chat tab fetch its code. */
function UnreadMessages() {
  const parts = useChatParts({ enabled: true });
  return parts === null ? null : <parts.Unread />;
}

/** A thin bar at the top while the next page loads; CSS hides it during short waits. */
function Progress() {
  const busy = useNavigation().state !== "idle";
  return busy ? <div className="progress" role="progressbar" aria-label={words.loading} /> : null;
}

/** After a navigation: sets the window's title, scrolls to the top, and moves the focus to the new page. */
function usePageChange(title: string): void {
  const { pathname } = useLocation();
  const navigationType = useNavigationType();
  const previousPath = useRef(pathname);
  useEffect(() => {
    document.title = title;
  }, [title]);
  useEffect(() => {
    if (previousPath.current === pathname) return;
    previousPath.current = pathname;
    // On Back the browser restores the scroll position itself.
    if (navigationType !== "POP") globalThis.scrollTo(0, 0);
    document.querySelector<HTMLElement>("#main")?.focus({ preventScroll: true });
  }, [pathname, navigationType]);
}

/** Says that the server does not let this page follow the game any more, and offers to load it again. */
function NotLive() {
  const { pathname, search } = useLocation();
  if (useSync() !== "refused") return null;
  return (
    <div className="toast" role="alert">
      <Icon name="offline" />
      <span>This page is no longer live. Reload it to see what is new.</span>
      <Link className="btn sm" to={pathname + search} reloadDocument>
        {words.reload}
      </Link>
    </div>
  );
}

function TopBar({ heading, inSession }: { heading: string; inSession: boolean }) {
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
            {words.signIn}
          </Link>
        </>
      ) : (
        <>
          <MainNav roles={viewer.roles} />
          {inSession || delaySeconds > 0 ? <SyncBadge delaySeconds={delaySeconds} /> : null}
          <BalanceChip />
          <Bell className="bare only-desktop" />
          <button className="btn bare sq menu-button" type="button" popoverTarget={MENU_ID}>
            <span className="vh">{words.menu}</span>
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
    <nav aria-label={words.main}>
      {items.map(({ label, path }) => (
        <Link key={path} to={path} aria-current={currentIn(pathname, path)}>
          {label}
        </Link>
      ))}
    </nav>
  );
}

function delayLabel(seconds: number): (typeof syncLabels)[Sync] {
  return { icon: "clock", text: `${seconds} s behind`, className: "sync poor" };
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
          {words.reload}
        </a>
      </noscript>
      <span className={className} role="status">
        <Icon name={icon} />
        <span className="t">{text}</span>
      </span>
    </>
  );
}

/**
 * The way back to the live game, on the pages around it: the page's own session while it is live, else the active one. It says
 * how the game stands as soon as its code is there. Admins have their own ways.
 */
function LiveBar({ session }: { session: SessionView | null }) {
  const { activeSession } = usePage();
  const viewer = useViewer();
  const live = session !== null && isLive(session) ? session : activeSession;
  const shown = viewer !== null && !viewer.roles.includes("admin") && live !== null;
  const parts = usePhoneParts({ enabled: shown });
  if (!shown) return null;
  return (
    <aside className="live-bar" aria-label="Live session">
      <Link to={`/sessions/${live.slug}`}>
        <Icon name="true" size="s" />
        <span className="names">
          {parts === null ? <b>{words.live}</b> : <parts.LiveState id={live.id} slug={live.slug} />}
        </span>
        <span className="btn you sm">Back to live</span>
      </Link>
    </aside>
  );
}

function isLive({ state, active }: SessionView): boolean {
  return state === "running" || state === "paused" || (active && state === "pending");
}
