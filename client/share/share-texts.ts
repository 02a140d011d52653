import type { ShareKind } from "#db/lists/shares.ts";
import { labelsOf } from "#src/base/contract.ts";

export const shareButtonText = labelsOf<ShareKind>({
  call: "Share this call",
  result: "Share this result",
  session: "Share my session",
  records: "Share my records",
});

export const sharesTexts = {
  picture: "Picture",
  days: (days: number) => (days === 1 ? "one more day" : `${days} more days`),
  kindLabel: labelsOf<ShareKind>({ call: "Call", result: "Result", session: "Session", records: "Records" }),
};

export const sharedTexts = {
  ofPlayers: (players: number) => `of ${players}`,
  during: (length: number, from: string, until: string) =>
    `${length}, ${from === until ? from : `${from} to ${until}`}`,
  endLabel: labelsOf({
    won: "Called it",
    right: "Right, and nobody took the other side",
    lost: "It went the other way",
    refunded: "The wager is back",
  }),
  resultWords: (end: string, corrected: boolean) => (corrected ? `${end} (corrected)` : end),
};
