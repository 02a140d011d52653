import type { ReactNode } from "react";
import { Link, useLocation } from "react-router";
import { useViewer } from "../context.ts";
import { CHAT_PATH, type Tab, tabsOfProfile, tabsOfSession } from "../navigation.ts";
import { Toasts } from "../ui/toast.tsx";
import { useChatParts } from "../use-chat-parts.ts";
import { Progress } from "./progress.tsx";
import { TopBar } from "./top-bar.tsx";
import { useHere } from "./use-here.ts";
import { usePageChange } from "./use-page-change.ts";

/** What stands around every screen: the top bar, the tabs of where we are, messages, and the bar of a page on its way. */
export function Frame({ children }: { children: ReactNode }) {
  const here = useHere();
  usePageChange(here.title);
  const bare = here.layout === "bare";
  return (
    <div className={here.layout === "play" ? "play" : "frame"}>
      <a className="skip" href="#main">
        Skip to the page
      </a>
      <Progress />
      {bare ? null : <TopBar heading={here.heading} inSession={here.session !== null} />}
      {bare ? null : <Tabs slug={here.session?.slug ?? null} />}
      {children}
      <Toasts />
    </div>
  );
}

function Tabs({ slug }: { slug: string | null }) {
  const { pathname } = useLocation();
  const viewer = useViewer();
  const profile = pathname.startsWith("/profile");
  if (viewer === null || (slug === null && !profile)) return null;
  const tabs = slug === null ? tabsOfProfile() : tabsOfSession(slug, viewer);
  return (
    <nav className="tabs" aria-label={slug === null ? "Profile" : "Session"}>
      {tabs.map((tab) => (
        <TabLink key={tab.path} tab={tab} current={isAt(tab, pathname)} />
      ))}
    </nav>
  );
}

/** An opened call is within the history, and payments within the wallet; everything is within the session. */
function isAt({ path }: Tab, pathname: string): boolean {
  return pathname === path || (/\/(?:history|wallet)$/.test(path) && pathname.startsWith(`${path}/`));
}

function TabLink({ tab, current }: { tab: Tab; current: boolean }) {
  return (
    <Link to={tab.path} aria-current={current ? "page" : undefined}>
      {tab.label}
      {tab.path.endsWith(CHAT_PATH) ? <UnreadMessages /> : null}
    </Link>
  );
}

/** Its code is fetched by those alone who have a tab of the chat. */
function UnreadMessages() {
  const parts = useChatParts({ wanted: true });
  return parts === null ? null : <parts.Unread />;
}
