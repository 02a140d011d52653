import { useState } from "react";
import { Form, Link, useLocation } from "react-router";
import { storePreference } from "#client/base/browser/store-preference.ts";
import { useLateParts } from "#client/base/deferred/use-late-parts.ts";
import * as words from "#client/base/format/words.ts";
import { usePage } from "#client/base/page/context.ts";
import { contrastMedia, type Theme, themes } from "#client/base/page/page.ts";
import { useInstall } from "#client/install/start-install.ts";
import { Bell } from "#client/notifications/bell.tsx";
import { Avatar } from "#client/ui/avatar.tsx";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { Icon } from "#client/ui/icon.tsx";
import { Brand } from "#client/ui/mark.tsx";
import {
  aboutNavigation,
  currentIn,
  mainNavigation,
  type NavItem,
  playNavigation,
  userNavigation,
} from "#client/ui/navigation.ts";
import { useClosingSheet } from "#client/ui/use-closing-sheet.ts";
import { useHere } from "#client/ui/use-here.ts";
import { KeepLink } from "#client/wallet/keep-link.tsx";
import type { ViewerView } from "#src/people/sign-ins/schemas.ts";

export const MENU_ID = "menu";
const SIGN_OUT = "/users/sign_out";
const loadDevice = () => import("#client/sound-and-vibration/device-settings.tsx");

const labels: Record<Theme, string> = {
  system: "System",
  light: "Light",
  dark: "Dark",
  contrast: "High contrast",
};

/** The user's menu: a full sheet on a phone, a card below the avatar on a desktop. It works without JavaScript. */
export function Menu({ viewer }: { viewer: ViewerView }) {
  const sheet = useClosingSheet();
  const [opened, setOpened] = useState(false);
  const device = useLateParts(opened ? loadDevice : null);
  const install = useInstall({ opened });
  const { pathname } = useLocation();
  const { session } = useHere();
  return (
    <div
      className="sheet"
      id={MENU_ID}
      popover="auto"
      role="dialog"
      aria-label={words.menu}
      ref={sheet}
      onToggle={() => setOpened(true)}
    >
      <MenuHead />
      <div className="row who">
        <Avatar name={viewer.username} avatar={viewer.avatar} size="lg" />
        <span className="names">
          <b>{viewer.username}</b>
          <span className="small ink2 clip">{viewer.email}</span>
        </span>
        <Bell className="push only-mobile" />
      </div>
      <div>
        {viewer.guest ? (
          <nav aria-label={words.createAccount}>
            <KeepLink icon={<Icon name="wallet" />}>
              <span className="small push">{words.createAccount}</span>
            </KeepLink>
          </nav>
        ) : null}
        <NavList label={words.main} items={mainNavigation(viewer.roles)} pathname={pathname} />
        <NavList label="Play" items={playNavigation(viewer, session)} pathname={pathname} />
        <NavList label="You" items={userNavigation(viewer)} pathname={pathname} />
        <NavList label="About" items={aboutNavigation()} pathname={pathname} />
      </div>
      {install === null ? null : <install.InstallEntry />}
      <div className="leave">
        <ThemeSwitch initial={usePage().theme} />
        <Logout guest={viewer.guest} />
        {/* They come late, below what is there. */}
        {device === null ? null : <device.DeviceSettings />}
      </div>
    </div>
  );
}

function MenuHead() {
  return (
    <div className="topbar only-mobile">
      <span className="brand">
        <Brand short="always" />
      </span>
      <button className="btn bare sq push" type="button" popoverTarget={MENU_ID} aria-label="Close menu">
        <Icon name="cross" />
      </button>
    </div>
  );
}

function NavList({ label, items, pathname }: { label: string; items: readonly NavItem[]; pathname: string }) {
  if (items.length === 0) return null;
  return (
    <nav aria-label={label}>
      {items.map(({ label: text, path, icon, ownPage = false }) => (
        <Link key={path} to={path} aria-current={currentIn(pathname, path)} reloadDocument={ownPage}>
          <Icon name={icon} />
          {text}
        </Link>
      ))}
    </nav>
  );
}

/** A guest who logs out loses the account, so a page asks first. */
function Logout({ guest }: { guest: boolean }) {
  if (guest) {
    return (
      <nav aria-label={words.leave}>
        <Link to={SIGN_OUT}>
          <Icon name="leave" />
          Logout
        </Link>
      </nav>
    );
  }
  return (
    <Form method="post" action={SIGN_OUT}>
      <CsrfField />
      <nav aria-label={words.leave}>
        <button type="submit">
          <Icon name="leave" />
          Logout
        </button>
      </nav>
    </Form>
  );
}

/** Chooses light, dark, high contrast, or the system's theme. The cookie lets the server render the next page in it. */
function ThemeSwitch({ initial }: { initial: Theme }) {
  const [theme, setTheme] = useState(initial);
  const choose = (next: Theme) => {
    setTheme(next);
    applyTheme(next);
  };
  return (
    <div className="row theme">
      <span className="small ink2">{words.theme}</span>
      <div className="seg push" role="radiogroup" aria-label={words.theme}>
        {themes.map((name) => (
          <button
            key={name}
            type="button"
            role="radio"
            aria-checked={theme === name}
            onClick={() => choose(name)}
          >
            {labels[name]}
          </button>
        ))}
      </div>
    </div>
  );
}

function applyTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
  document.querySelector("#contrast")?.setAttribute("media", contrastMedia(theme));
  storePreference("theme", theme);
}
