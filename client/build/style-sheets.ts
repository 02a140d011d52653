// Decision: the pages of one chunk have one sheet. On a browser's first visit it is part of the page, so nothing blocks the first
// paint: a link would cost a slow phone one more round trip before it.

/** What the pages of players need, in the order of the cascade; tokens.css declares the order of the layers. */
export const sheets = [
  "tokens",
  "base",
  "topbar",
  "page",
  "text",
  "buttons",
  "pills",
  "play",
  "clock",
  "card",
  "facts",
  "slip",
  "result",
  "card-states",
  "sides",
  "wager",
  "lists",
  "forms",
  "menu",
  "screens",
  "account",
  "receipts",
  "chat",
  "phone",
  "end",
  "front-door",
  "moving-picture",
] as const;

/** What the pages of a chunk need besides, after the sheets above. */
export const chunkSheets = {
  "client/app/admin-screens.ts": [
    "show/show",
    "show/run-of-show",
    "show/stage",
    "show/show-forms",
    "show/arming",
    "show/side",
    "blueprint-editor",
    "blueprint-events",
  ],
  "client/screens/stage/stage-screen.tsx": [
    "stage/big-screen",
    "stage/scenes",
    "stage/finale",
    "stage/beside",
    "stage/overlay",
  ],
  "client/screens/replay/replay-screen.tsx": ["replay/replay"],
} as const;

/** High contrast and forced colours, in a sheet of their own with a media query. */
export const contrastSheets = ["contrast/high-contrast", "contrast/forced-colors"] as const;
