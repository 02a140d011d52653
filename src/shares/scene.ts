import { formatChange, formatMoney } from "#src/http/contract.ts";
import { formatStamp } from "./format-stamp.ts";
import type { SharedView } from "./schemas.ts";
import { endOf, rankText, storyOf } from "./words-for.ts";

/** Everything that a picture shows, as texts and numbers. Equal scenes are one picture. */
export type Scene =
  | { kind: "preview" }
  | {
      kind: "call";
      by: string;
      session: string;
      question: string;
      label: string;
      side: "true" | "false";
      wager: string;
      clock: string;
      day: string;
    }
  | {
      kind: "result";
      by: string;
      session: string;
      question: string;
      label: string;
      side: "true" | "false";
      end: "won" | "right" | "lost" | "refunded";
      /** The net, or what is back. */
      amount: string;
      /** That few saw it, and that the result is a corrected one. */
      note: string;
      stamp: string;
    }
  | {
      kind: "session";
      by: string;
      session: string;
      place: string;
      net: string;
      score: string;
      best: string;
      curveCents: readonly number[];
    };

/** The picture of all pages that have none of their own. */
export const previewScene: Scene = { kind: "preview" };

/** The scene of what a link shows. */
export function sceneOf({ username: by, sessionName, timeZone, call, summary }: SharedView): Scene {
  const session = sessionName ?? "";
  if (summary !== null) {
    const { rank, tied, playersCount, wins, losses, netCents, best, curve } = summary;
    return {
      kind: "session",
      by,
      session,
      place: rank === null ? "" : `${rankText({ rank, tied })} of ${playersCount}`,
      net: formatChange(netCents),
      score: `${wins} won, ${losses} lost`,
      best: best === null ? "" : `${formatChange(best.netCents)}  ${best.title}`,
      curveCents: curve.map((point) => point.netCents),
    };
  }
  if (call === null) return previewScene;
  const { title: question, label, side, wagerCents, placedAt, outcome, netCents } = call;
  const { clock, day } = formatStamp(placedAt, timeZone);
  const said = { by, session, question, label, side };
  if (outcome === null) return { kind: "call", ...said, wager: formatMoney(wagerCents), clock, day };
  return {
    kind: "result",
    ...said,
    end: endOf(call),
    amount: outcome === "refunded" ? `${formatMoney(wagerCents)} back` : formatChange(netCents ?? 0),
    note: [storyOf(by, call), call.corrected ? "The result was corrected." : ""].join(" ").trim(),
    stamp: `Placed ${clock}, ${day}`,
  };
}
