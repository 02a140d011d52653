// Decision: sheets that the first screen needs are inline, so nothing blocks the first paint. Those of few pages follow when one is
// opened.

/** What the first screen of every page needs. */
const everywhere = [
  "tokens",
  "base",
  "topbar",
  "page",
  "text",
  "buttons",
  "pills",
  "badges",
  "list",
  "notes",
  "shell",
] as const;

/** What only the pages of those who run the game, the replay and the big screen have. */
export const fewPages = [
  "session-form",
  "show/show",
  "show/run-of-show",
  "show/stage",
  "show/show-forms",
  "show/arming",
  "show/low-stage",
  "show/side",
  "show/invite",
  "blueprint-editor",
  "blueprint-events",
  "timeline",
  "operations",
  "replay/replay",
  "stage/big-screen",
  "stage/stage-result",
  "stage/lobby",
  "stage/leaders",
  "stage/teams",
  "stage/beside",
  "stage/column",
  "stage/brand",
  "stage/forms",
  "stage/overlay",
] as const;

/**
 * The style sheets in the order of the cascade; tokens.css declares the order of the layers. First those that every page
 * needs, then those of the game, then the others. Those of few pages are the last: they can follow when one is opened.
 */
export const sheets = [
  ...everywhere,
  "play",
  "clock",
  "event-card",
  "pool",
  "slip",
  "result",
  "card-states",
  "sides",
  "wager",
  "phone-bar",
  "small-screens",
  "one-column",
  "landscape",
  "lists",
  "forms",
  "dialogs",
  "menu",
  "notifications",
  "device-settings",
  "screens",
  "receipts",
  "users",
  "profiles",
  "chat",
  "phone",
  "live-bar",
  "end",
  "shares",
  "front-door",
  "moving-picture",
  "faces",
  ...fewPages,
] as const;

export type SheetName = (typeof sheets)[number];

/** High contrast and forced colours, in an inline style of their own with a media query. */
export const contrastSheets = [
  "contrast/high-contrast",
  "contrast/forced-colors",
  "contrast/forced-shapes",
] as const;

const account: readonly SheetName[] = [
  "clock",
  "pool",
  "lists",
  "forms",
  "dialogs",
  "screens",
  "users",
  "profiles",
  "live-bar",
  "shares",
  "front-door",
  "moving-picture",
  "faces",
];

/** What the first screens of a module's pages need besides. A module that is missing here needs nothing else. */
const besides: Partial<Record<string, readonly SheetName[]>> = {
  "client/app/entry.tsx": [
    "play",
    "clock",
    "event-card",
    "pool",
    "slip",
    "result",
    "card-states",
    "sides",
    "wager",
    "phone-bar",
    "small-screens",
    "one-column",
    "landscape",
    // For pages that are not found.
    "live-bar",
  ],
  "client/app/screens.ts": ["lists", "forms", "screens", "receipts", "users", "chat", "live-bar"],
  "client/app/sign-in-screens.ts": account,
  "client/app/account-screens.ts": account,
  "client/screens/stage/stage-screen.tsx": [
    "clock",
    "pool",
    "event-card",
    "stage/big-screen",
    "stage/stage-result",
    "stage/lobby",
    "stage/leaders",
    "stage/teams",
    "stage/beside",
    "stage/column",
    "stage/brand",
    "stage/forms",
    "stage/overlay",
  ],
  "client/screens/replay/replay-screen.tsx": ["lists", "pool", "screens", "replay/replay"],
  // The pages of those who run the game use nearly all of them.
  "client/app/admin-screens.ts": sheets.filter(
    (name) =>
      name !== "chat" &&
      name !== "phone" &&
      name !== "live-bar" &&
      name !== "replay/replay" &&
      !name.startsWith("stage/"),
  ),
};

/** The critical style sheets of the pages whose screens are in this module, in the order of the cascade. */
export function sheetsOf(module: string): readonly SheetName[] {
  const critical = new Set<SheetName>([...everywhere, ...(besides[module] ?? [])]);
  return sheets.filter((name) => critical.has(name));
}

/** True for a module with pages that need the sheets of few pages. */
export function needsFewPages(module: string): boolean {
  const critical = sheetsOf(module);
  return fewPages.some((name) => critical.includes(name));
}
