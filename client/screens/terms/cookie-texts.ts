import type { CookieName } from "#src/http/contract.ts";

/** What each cookie is for. */
export const cookies = "Cookies";
export const name = "Name";
export const purpose = "What it is for";
export const purposes: Readonly<Record<CookieName, string>> = {
  called_it: "Keeps you signed in.",
  called_it_visitor: "Proves that what this browser sends comes from our pages.",
  called_it_browser: "Knows this browser again, so that nobody else's wrong passwords lock you out.",
  called_it_wrote: "Lasts some seconds after a change, so that you see it at once.",
  theme: "Your theme, light or dark, if you chose one.",
  time_zone: "Your time zone, for times that are yours.",
  delay: "How far your stream is behind, if you set it.",
  wager: "The amount of your last call, where JavaScript is off.",
};
export const prefix = "Over https the first four begin with __Host-.";
