export const PODIUM_SIZE = 3;
/** How many leaders are sent to a big screen. It shows fewer, but for those who share a place of the podium. */
export const STAGE_LEADERS = 10;
/** How many of the players who have come are sent to a lobby by name, the newest. */
export const ARRIVALS_NAMED = 400;
/** How many of the newest chat messages are sent to a big screen. It shows fewer, so that it knows the one before a deleted one. */
export const STAGE_MESSAGES = 8;
/** How many of the last decisions on results are sent to a big screen, which shows them one after the other. */
export const STAGE_DECISIONS = 8;

/** What the overlay shows, by its address (`?overlay=third`), and where (`&place=top-right`). `1` is all of it, as a band below. */
export const overlayParts = {
  "1": "Everything",
  third: "Lower third",
  bar: "Bar",
  corner: "Corner",
  clock: "Clock",
} as const;
export const overlayPlaces = {
  "bottom-left": "Bottom left",
  "bottom-right": "Bottom right",
  "top-left": "Top left",
  "top-right": "Top right",
} as const;
