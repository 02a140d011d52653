import type { ShareKind } from "#db/lists/shares.ts";
import { labelsOf } from "#src/base/contract.ts";

/** What the button says. */
export const shareButtonText = labelsOf<ShareKind>({
  call: "Share this call",
  result: "Share this result",
  session: "Share my session",
  records: "Share my records",
});

/** What a tap on the button leads to. */
export const sharingTexts = {
  copied: "Link copied",
  failed: "No link was made. Try again in a moment.",
};

/** Texts of the page that lists the player's links. */
export const sharesTexts = {
  title: "Shared links",
  about: "Everybody who has a link sees what it shows, with your username. Nobody else does.",
  toProfile: "Back to the profile",
  none: "Nothing shared yet",
  noneAbout:
    "Share a call from its receipt, your session when it is over, or your records from your profile. Its link is then listed here.",
  made: "Your link",
  madeAbout: "Copy it, and send it to whom you like.",
  link: (title: string) => `Link to ${title}`,
  open: "Open",
  picture: "Picture",
  revoke: "Revoke",
  expires: "Works",
  change: "Change",
  never: "until revoked",
  days: (days: number) => (days === 1 ? "one more day" : `${days} more days`),
  expiresAt: (day: string) => `Works until ${day}.`,
  stays: "Works until you revoke it.",
  expired: "Has expired. Share it again for a new link.",
  madeOn: (day: string) => `Made on ${day}.`,
  kindLabel: labelsOf<ShareKind>({ call: "Call", result: "Result", session: "Session", records: "Records" }),
};

/** What a shared page says. */
export const sharedTexts = {
  by: (username: string) => `Shared by ${username}`,
  question: "Question",
  called: "Called",
  placed: "Placed (server time)",
  result: "Result",
  net: "Net",
  place: "Place",
  ofPlayers: (players: number) => `of ${players}`,
  record: "Record",
  wonAndLost: (wins: number, losses: number) => `${wins} won, ${losses} lost`,
  best: "Best call",
  session: "Session",
  longestStreak: "Right in a row",
  bestNight: "Best night",
  during: (length: number, from: string, until: string) =>
    `${length}, ${from === until ? from : `${from} to ${until}`}`,
  endLabel: labelsOf({
    won: "Called it",
    right: "Right, and nobody took the other side",
    lost: "It went the other way",
    refunded: "The wager is back",
  }),
  resultWords: (end: string, corrected: boolean) => (corrected ? `${end} (corrected)` : end),
  watch: "Watch it live",
  playNow: "Play now",
  play: "Make your own calls",
};
