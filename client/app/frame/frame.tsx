import { type ReactNode, useEffect, useRef } from "react";
import { Link, useLocation, useNavigation, useNavigationType } from "react-router";
import { useViewer } from "#client/base/page/context.ts";
import { useChatParts } from "#client/chat/use-chat-parts.ts";
import * as texts from "#client/ui/frame-texts.ts";
import { Icon } from "#client/ui/icon.tsx";
import { CHAT_PATH, type Tab, tabsOfProfile, tabsOfSession } from "#client/ui/navigation.ts";
import { Toasts } from "#client/ui/toast.tsx";
import { useHere } from "#client/ui/use-here.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import { LiveBar } from "./live-bar.tsx";
import { NotLive } from "./not-live.tsx";
import { TopBar } from "./top-bar.tsx";

/** The frame around every screen: progress bar, top bar, tabs and toasts. */
export function Frame({ children }: { children: ReactNode }) {
  const here = useHere();
  usePageChange(here.title);
  if (here.layout === "stage") return children;
  const bare = here.layout === "bare";
  return (
    <div className={here.layout === "play" ? "play" : "frame"} data-route={here.route}>
      <a className="skip" href="#main">
        {texts.skipLink}
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
  const profile = pathname.startsWith("/profile");
  if (viewer === null || (session === null && !profile)) return null;
  return (
    <nav className="tabs" aria-label={session === null ? texts.profile : texts.session}>
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
      title={locked ? texts.needsAccount : undefined}
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
  return busy ? <div className="progress" role="progressbar" aria-label={texts.loading} /> : null;
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
