import { useState } from "react";
import { Form, Link, useLocation } from "react-router";
import type { ViewerView } from "#src/sign-ins/schemas.ts";
import { usePage } from "../context.ts";
import { useInstall } from "../install/start-install.ts";
import { currentIn, mainNavigation, type NavItem, userNavigation } from "../navigation.ts";
import { Bell } from "../notifications/bell.tsx";
import { useDeviceSettings } from "../senses/use-device-settings.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Icon } from "../ui/icon.tsx";
import { Brand } from "../ui/mark.tsx";
import { useViewerAvatar } from "../users/viewer-avatar.ts";
import { CsrfField } from "./csrf-field.tsx";
import * as texts from "./frame-texts.ts";
import { ThemeSwitch } from "./theme-switch.tsx";
import { useClosingSheet } from "./use-closing-sheet.ts";

export const MENU_ID = "menu";
const SIGN_OUT = "/users/sign_out";

/** The user's menu: a full sheet on a phone, a card below the avatar on a desktop. It works without script. */
export function Menu({ viewer }: { viewer: ViewerView }) {
  const sheet = useClosingSheet();
  const [opened, setOpened] = useState(false);
  const device = useDeviceSettings({ opened });
  const install = useInstall({ opened });
  const { pathname } = useLocation();
  return (
    <div
      className="sheet"
      id={MENU_ID}
      popover="auto"
      role="dialog"
      aria-label={texts.menu}
      ref={sheet}
      onToggle={() => setOpened(true)}
    >
      <MenuHead />
      <div className="row who">
        <Avatar name={viewer.username} avatar={useViewerAvatar()} size="lg" />
        <span className="names">
          <b>{viewer.username}</b>
          <span className="small ink2 clip">{viewer.email}</span>
        </span>
        <Bell className="push only-mobile" />
      </div>
      <div>
        <NavList label={texts.main} items={mainNavigation(viewer.roles)} pathname={pathname} />
        <NavList label={texts.you} items={userNavigation(viewer.roles)} pathname={pathname} />
      </div>
      {install === null ? null : <install.InstallEntry />}
      <div className="leave">
        {device === null ? null : <device.DeviceSettings />}
        <ThemeSwitch initial={usePage().theme} />
        <Logout guest={viewer.guest} />
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
      <button className="btn bare sq push" type="button" popoverTarget={MENU_ID} aria-label={texts.closeMenu}>
        <Icon name="cross" />
      </button>
    </div>
  );
}

type NavListProps = { label: string; items: readonly NavItem[]; pathname: string };

function NavList({ label, items, pathname }: NavListProps) {
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
      <nav aria-label={texts.leave}>
        <Link to={SIGN_OUT}>
          <Icon name="leave" />
          {texts.logout}
        </Link>
      </nav>
    );
  }
  return (
    <Form method="post" action={SIGN_OUT}>
      <CsrfField />
      <nav aria-label={texts.leave}>
        <button type="submit">
          <Icon name="leave" />
          {texts.logout}
        </button>
      </nav>
    </Form>
  );
}
