import type { Role } from "#src/sign-ins/contract.ts";
import type { ViewerView } from "#src/sign-ins/schemas.ts";
import type { StreamOffset } from "#src/streams/contract.ts";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

/** What the server says about the whole page besides the screens' data. It does not change until the page is loaded anew. */
export type Page = {
  viewer: ViewerView | null;
  csrfToken: string;
  /** Address of the websocket; a path means this host. */
  cableUrl: string;
  /** The session that was active when the page was made; null where none was. */
  activeSession: { id: number; slug: string } | null;
  theme: Theme;
  /** IANA name in which times are written until the browser has said its own. */
  timeZone: string;
  /** Demo players exist and may be shown on the sign-in page. */
  demo: boolean;
  /** Where the streams stood before anything on the page was looked up: what came since is asked for. */
  places: Places;
};

/** Of the viewer's own stream and of that of the page's session; null where there is none or nobody knows. */
export type Places = { user: StreamOffset | null; session: (StreamOffset & { id: number }) | null };
export const placesUnknown: Places = { user: null, session: null };

/** Reads the page's metadata: the meta tags and the data attributes of the app's root element. */
export function readPage(root: HTMLElement, document: Document): Page {
  const active = metaOf(document, "active-session");
  return {
    viewer: viewerOf(root.dataset),
    csrfToken: metaOf(document, "csrf-token"),
    cableUrl: metaOf(document, "action-cable-url"),
    activeSession: active === "" ? null : JSON.parse(active),
    theme: themeOf(document.documentElement.dataset["theme"]),
    timeZone: root.dataset["timeZone"] ?? "UTC",
    demo: root.dataset["demo"] === "true",
    places: placesIn(root.dataset["places"]),
  };
}

/** The theme a cookie or an attribute names; the system's where it names none. */
export function themeOf(name: string | undefined): Theme {
  return themes.find((theme) => theme === name) ?? "system";
}

function viewerOf(values: DOMStringMap): ViewerView | null {
  const id = values["userId"];
  if (id === undefined || id === "") return null;
  const roles: Role[] = JSON.parse(values["userRoles"] ?? "[]");
  const email = values["userEmail"] ?? "";
  return {
    id: Number(id),
    gid: values["userGid"] ?? "",
    email: email === "" ? null : email,
    username: values["userUsername"] ?? "",
    avatar: JSON.parse(values["userAvatar"] ?? "{}"),
    roles,
    guest: values["userGuest"] === "true",
  };
}

function placesIn(text: string | undefined): Places {
  const places: Places = text === undefined ? placesUnknown : JSON.parse(text);
  return places;
}

function metaOf(document: Document, name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? "";
}
