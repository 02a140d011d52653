import type { Role } from "#db/lists/users.ts";
import type { IconName } from "./ui/icon.tsx";

export type NavItem = {
  label: string;
  path: string;
  icon: IconName;
  /** Who sees it; everybody if omitted. */
  roles?: readonly Role[];
  /** A page outside the app: it is loaded, not navigated to. */
  ownPage?: true;
  /** Nobody sees it: its page does not exist yet. */
  disabled?: true;
};

/** The top navigation, in its order. */
export const mainItems: readonly NavItem[] = [
  { label: "Blueprints", path: "/blueprints", icon: "slip", roles: ["admin"] },
  { label: "Sessions", path: "/sessions", icon: "clock", roles: ["admin"] },
  { label: "Leaderboard", path: "/leaderboard", icon: "trophy", roles: ["admin"] },
  { label: "Users", path: "/users", icon: "person", roles: ["admin"] },
];

/** The user's navigation, in the menu. */
export const userItems: readonly NavItem[] = [
  { label: "Profile", path: "/profile", icon: "person" },
  { label: "Dashboard", path: "/dashboard", icon: "eye", disabled: true },
  { label: "Books", path: "/admin/books", icon: "slip", roles: ["admin", "operator"] },
  { label: "Queues", path: "/admin/queues", icon: "clock", roles: ["admin", "operator"], ownPage: true },
];

/** Path of the chat below that of its session. */
export const CHAT_PATH = "/chat";

const sessionTabs: readonly { label: string; path: string; roles?: readonly Role[] }[] = [
  { label: "Admin", path: "/admin", roles: ["admin"] },
  { label: "Action", path: "" },
  { label: "Leaders", path: "/leaders", roles: ["admin"] },
  { label: "Chat", path: CHAT_PATH, roles: ["admin"] },
  { label: "History", path: "/history" },
];

const profileTabs = [
  { label: "Profile", path: "" },
  { label: "Account", path: "/account" },
  { label: "Picture", path: "/avatar" },
  { label: "Details", path: "/details" },
  { label: "Wallet", path: "/wallet" },
];

export type Tab = { label: string; path: string };

/**
 * The items of the top navigation that a viewer with these roles sees: for an admin all but the disabled ones.
 * @param roles separated by spaces; empty for a player.
 */
export function mainNavigation(roles: string): readonly NavItem[] {
  return mainItems.filter(visibleTo(roles));
}

export function userNavigation(roles: string): readonly NavItem[] {
  return userItems.filter(visibleTo(roles));
}

/** The tabs of a session, with their full paths. */
export function tabsOfSession(slug: string, roles: string): Tab[] {
  return sessionTabs
    .filter(visibleTo(roles))
    .map(({ label, path }) => ({ label, path: `/sessions/${slug}${path}` }));
}

export function tabsOfProfile(): Tab[] {
  return profileTabs.map(({ label, path }) => ({ label, path: `/profile${path}` }));
}

/** `aria-current` of a link: "page" for this page, "true" for a page that this one is below. */
export function currentIn(pathname: string, path: string): "page" | "true" | undefined {
  if (pathname === path) return "page";
  return pathname.startsWith(`${path}/`) ? "true" : undefined;
}

function visibleTo(viewerRoles: string) {
  const own = viewerRoles.split(" ");
  return ({ roles, disabled = false }: { roles?: readonly Role[]; disabled?: boolean }) => {
    if (disabled) return false;
    return roles === undefined || own.includes("admin") || roles.some((role) => own.includes(role));
  };
}
