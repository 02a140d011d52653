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

/**
 * The style sheets in the order of the cascade; tokens.css declares the order of the layers. First those that every page
 * needs, then those of the game, then the others.
 */
export const sheets = [
  ...everywhere,
  "play",
  "clock",
  "event-card",
  "result",
  "sides",
  "wager",
  "lists",
  "forms",
  "dialogs",
  "menu",
  "notifications",
  "screens",
  "receipts",
  "session-form",
  "show",
  "run-of-show",
  "stage",
  "show-forms",
  "blueprint-editor",
  "blueprint-events",
  "timeline",
  "users",
  "profiles",
  "chat",
] as const;

export type SheetName = (typeof sheets)[number];

/** What the first screens of a module's pages need besides. A module that is missing here needs nothing else. */
const besides: Partial<Record<string, readonly SheetName[]>> = {
  "client/entry.tsx": ["play", "clock", "event-card", "result", "sides", "wager"],
  "client/screens.ts": ["lists", "forms", "screens", "receipts", "users", "chat"],
  "client/account-screens.ts": ["lists", "forms", "dialogs", "screens", "users", "profiles"],
  // The pages of those who run the game use nearly all of them.
  "client/admin-screens.ts": sheets.filter((name) => name !== "chat"),
};

/** The critical style sheets of the pages whose screens are in this module, in the order of the cascade. */
export function sheetsOf(module: string): readonly SheetName[] {
  const critical = new Set<SheetName>([...everywhere, ...(besides[module] ?? [])]);
  return sheets.filter((name) => critical.has(name));
}
