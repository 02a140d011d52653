import type { Role } from "#db/lists/users.ts";
import type { StreamOffset } from "#src/base/streams/contract.ts";
import type { Closed } from "#src/base/switches/contract.ts";
import type { ViewerView } from "#src/people/sign-ins/schemas.ts";
import { setSite } from "#src/settings/contract.ts";

/** `contrast` is the theme of high contrast, as light or dark as the system is. */
export const themes = ["system", "light", "dark", "contrast"] as const;
export type Theme = (typeof themes)[number];

/** The light or dark ground that a theme asks for; null: as the system is. */
export const schemeOf: Readonly<Record<Theme, "light" | "dark" | null>> = {
  system: null,
  light: "light",
  dark: "dark",
  contrast: null,
};

/** When the style sheet of high contrast and forced colours applies: its link has this media query. */
export function contrastMedia(theme: Theme): string {
  return theme === "contrast" ? "all" : "(prefers-contrast: more), (forced-colors: active)";
}

/** What the server says about the page besides the screens' data. It does not change until the page is loaded again. */
export type Page = {
  viewer: ViewerView | null;
  csrfToken: string;
  /** Address of the websocket; a path means this host. */
  cableUrl: string;
  /** The session that was active when the page was rendered; null if none was. */
  activeSession: { id: number; slug: string } | null;
  theme: Theme;
  /** IANA name of the zone in which times are shown until the browser's zone is known. */
  timeZone: string;
  /** By how much this device shows everything later; 0 without a stream delay. */
  delaySeconds: number;
  demo: boolean;
  /** The provider of an organisation, with which people sign in; undefined without one. */
  oidc?: OidcPage | undefined;
  /** What is closed for the whole site, each with the sentence that says so; undefined where nothing is. */
  closed?: Closed | undefined;
  /** The streams' offsets before any of the page's data was read: the page requests all messages after them. */
  streamOffsets: StreamOffsets;
};

/** `only`: there is no other way in. `away`: it did not answer a moment ago. */
export type OidcPage = { name: string; only: boolean; away: boolean };

/** Offsets of the viewer's own stream and of the stream of the page's session; null if there is none or it is unknown. */
export type StreamOffsets = { user: StreamOffset | null; session: (StreamOffset & { id: number }) | null };
export const unknownOffsets: StreamOffsets = { user: null, session: null };

/** What the server of this build wrote as JSON into the page's metadata. */
function written<T>(text: string): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The page and its scripts are of one build, whose server wrote this.
  return JSON.parse(text) as T;
}

/** Reads the page's metadata: the meta tags and the data attributes of the app's root element. It gives the browser the name of the site. */
export function readPage(root: HTMLElement, document: Document): Page {
  const active = metaOf(document, "active-session");
  if (root.dataset["site"] !== undefined) setSite(written(root.dataset["site"]));
  return {
    viewer: viewerOf(root.dataset),
    csrfToken: metaOf(document, "csrf-token"),
    cableUrl: metaOf(document, "action-cable-url"),
    activeSession: active === "" ? null : written<Page["activeSession"]>(active),
    theme: themeOf(document.documentElement.dataset["theme"]),
    timeZone: root.dataset["timeZone"] ?? "UTC",
    delaySeconds: Number(root.dataset["delay"] ?? 0),
    demo: root.dataset["demo"] === "true",
    oidc: written(root.dataset["oidc"] ?? "null") ?? undefined,
    closed: written(root.dataset["closed"] ?? "null") ?? undefined,
    streamOffsets: streamOffsetsIn(root.dataset["streamOffsets"]),
  };
}

/** The theme that a cookie or an attribute names; "system" if it names none. */
export function themeOf(name: string | undefined): Theme {
  return themes.find((theme) => theme === name) ?? "system";
}

function viewerOf(values: DOMStringMap): ViewerView | null {
  const id = values["userId"];
  if (id === undefined || id === "") return null;
  const roles = written<Role[]>(values["userRoles"] ?? "[]");
  const email = values["userEmail"] ?? "";
  return {
    id: Number(id),
    gid: values["userGid"] ?? "",
    email: email === "" ? null : email,
    username: values["userUsername"] ?? "",
    avatar: written<ViewerView["avatar"]>(values["userAvatar"] ?? "{}"),
    roles,
    hostOf: written<ViewerView["hostOf"]>(values["hostOf"] ?? "[]"),
    guest: values["userGuest"] === "true",
    breakUntil: values["breakUntil"] ?? null,
  };
}

function streamOffsetsIn(text: string | undefined): StreamOffsets {
  return text === undefined ? unknownOffsets : written<StreamOffsets>(text);
}

function metaOf(document: Document, name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? "";
}
