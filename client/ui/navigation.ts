import * as words from "#client/base/format/words.ts";
import type { Role } from "#db/lists/users.ts";
import type { ViewerView } from "#src/people/sign-ins/schemas.ts";
import { site } from "#src/settings/contract.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import type { IconName } from "./icon.tsx";

export type NavItem = {
  label: string;
  path: string;
  icon: IconName;
  /** Who sees it; everybody if omitted. */
  roles?: readonly Role[];
  /** A page outside the app: it is loaded, not navigated to. */
  ownPage?: true;
};

export const mainItems: readonly NavItem[] = [
  { label: words.blueprints, path: "/blueprints", icon: "slip", roles: ["admin"] },
  { label: words.sessions, path: "/sessions", icon: "clock", roles: ["admin"] },
  { label: words.leaderboard, path: "/leaderboard", icon: "trophy", roles: ["admin"] },
  { label: words.users, path: "/users", icon: "person", roles: ["admin"] },
];

export const userItems: readonly NavItem[] = [
  { label: words.profile, path: "/profile", icon: "person" },
  { label: words.operations, path: "/admin", icon: "eye", roles: ["admin", "operator"] },
  { label: words.books, path: "/admin/books", icon: "slip", roles: ["admin", "operator"] },
  { label: words.audit, path: "/admin/audit", icon: "clock", roles: ["admin"] },
  { label: words.webhooks, path: "/admin/webhooks", icon: "bolt", roles: ["admin"] },
  { label: "Queues", path: "/admin/queues", icon: "clock", roles: ["admin", "operator"], ownPage: true },
];

/** Path of the chat below that of its session. */
export const CHAT_PATH = "/chat";
/** The same for browsers without JavaScript, also while the session is live. */
export const LIVE_CHAT_PATH = "/live_chat";

const sessionTabs: readonly (Tab & { roles?: readonly Role[] })[] = [
  { label: words.admin, path: "/admin", roles: ["admin"] },
  { label: words.action, path: "" },
  { label: words.leaders, path: "/leaders", roles: ["admin"] },
  { label: words.chat, path: CHAT_PATH, roles: ["admin"] },
  { label: "History", path: "/history", needsAccount: true },
];

const profileTabs: readonly (Tab & { roles?: readonly Role[] })[] = [
  { label: words.profile, path: "" },
  { label: words.account, path: "/account" },
  { label: words.picture, path: "/avatar" },
  { label: words.details, path: "/details" },
  { label: words.wallet, path: "/wallet" },
  { label: words.tokens, path: "/tokens", roles: ["admin"] },
];

export type Tab = {
  label: string;
  path: string;
  /** It leads a guest to the page that says how to finish the account. */
  needsAccount?: true;
};

/** The items of the top navigation that a viewer with these roles sees: for an admin all. */
export function mainNavigation(roles: readonly Role[]): readonly NavItem[] {
  return mainItems.filter(visibleTo(roles));
}

/** Where the profile lists the sessions that its user hosts. */
export const HOSTED_ANCHOR = "hosted";

/** Who hosts a session and is no admin finds it on the profile: while a session is active, the list of all leads players to it. */
export function userNavigation({ roles, hostOf }: ViewerView): readonly NavItem[] {
  const items = userItems.filter(visibleTo(roles));
  if (hostOf.length === 0 || roles.includes("admin")) return items;
  return [{ label: words.sessionsYouHost, path: `/profile#${HOSTED_ANCHOR}`, icon: "clock" }, ...items];
}

/** What a player looks for, in the menu: of the session that is open, and what is theirs. A guest has no such pages but two. */
export function playNavigation(
  { roles, guest }: ViewerView,
  session: Pick<SessionView, "slug"> | null,
): readonly NavItem[] {
  if (roles.includes("admin")) return [];
  const path = `/sessions/${session?.slug}`;
  const ofSession: readonly NavItem[] = [
    { label: "History", path: `${path}/history`, icon: "clock" },
    { label: words.leaders, path: `${path}/leaders`, icon: "trophy" },
  ];
  const forAll: readonly NavItem[] = [
    { label: "Join by code", path: "/join", icon: "bolt" },
    { label: words.sharedLinks, path: "/shares", icon: "slip" },
  ];
  if (guest) return forAll;
  const wallet: NavItem = { label: words.wallet, path: "/profile/wallet", icon: "wallet" };
  return [...(session === null ? [] : ofSession), wallet, ...forAll];
}

export function aboutNavigation(): readonly NavItem[] {
  return site().pages.map(({ path, title }) => ({ label: title, path, icon: "info", ownPage: true }));
}

/** The viewer's roles in a session: its host counts as an admin there. */
export function rolesIn({ roles, hostOf }: ViewerView, sessionId: number): readonly Role[] {
  return hostOf.includes(sessionId) ? ["admin"] : roles;
}

export function tabsOfSession({ id, slug }: SessionView, viewer: ViewerView): Tab[] {
  return tabsBelow(`/sessions/${slug}`, sessionTabs, rolesIn(viewer, id));
}

export function tabsOfProfile({ roles }: ViewerView): Tab[] {
  return tabsBelow("/profile", profileTabs, roles);
}

function tabsBelow(path: string, tabs: typeof profileTabs, roles: readonly Role[]): Tab[] {
  return tabs.filter(visibleTo(roles)).map((tab) => ({ ...tab, path: path + tab.path }));
}

/** `aria-current` of a link: "page" for this page, "true" for a page that this one is below. */
export function currentIn(pathname: string, path: string): "page" | "true" | undefined {
  if (pathname === path) return "page";
  return pathname.startsWith(`${path}/`) ? "true" : undefined;
}

function visibleTo(own: readonly Role[]) {
  return ({ roles }: { roles?: readonly Role[] }) =>
    roles === undefined || own.includes("admin") || roles.some((role) => own.includes(role));
}
