import * as v from "valibot";
import { formatChange, formatMoney } from "#src/http/contract.ts";
import type { ShownSeason } from "#src/play/seasons/schemas.ts";
import type { Brand } from "#src/show/brands/schemas.ts";
import { sessionSettings } from "#src/show/sessions/schemas.ts";
import type { SessionRow } from "#src/show/sessions/with-session.ts";
import { DEFAULT_ZONE } from "./contract.ts";
import { drawable } from "./drawable.ts";
import { formatDay, formatStamp } from "./format-stamp.ts";
import type { SharedView } from "./schemas.ts";
import { endOf, type Line, rankText, recordLines, storyOf } from "./words-for.ts";

/** Everything that a picture shows, as texts and numbers. Equal scenes are one picture. */
export type Scene = Shown & {
  /** Left out of a session without one. */
  brand?: Brand | undefined;
};
type Shown =
  /** With the name of a session the preview of its pages. */
  | { kind: "preview"; session?: string }
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
    }
  | {
      kind: "lines";
      /** The player, and the text next to the name. */
      by: string;
      aside: string;
      title: string;
      lines: readonly Line[];
    };

/** The picture of all pages that have none of their own. */
export const previewScene: Scene = { kind: "preview" };

/** The picture of a session's own pages. */
export function previewOf({ name, settings }: Pick<SessionRow, "name" | "settings">): Scene {
  const { brand } = v.parse(sessionSettings, settings);
  return brand === undefined ? previewScene : { kind: "preview", session: name, brand };
}

/** The scene of what a link shows. */
export function sceneOf(shared: SharedView): Scene {
  const { brand } = shared;
  return { ...shownOf(shared), ...(brand !== undefined && { brand }) };
}

function shownOf({ username: by, sessionName, timeZone, call, summary, records }: SharedView): Shown {
  const session = sessionName ?? "";
  if (records !== null) {
    return { kind: "lines", by, aside: "", title: "Records", lines: recordLines(records, timeZone) };
  }
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
  if (call === null) return { kind: "preview" };
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

const PODIUM_LINES = 3;

/** The scene of a season: its podium when it has ended, else its dates. Everybody sees the same, so days are those of UTC. */
export function seasonScene({
  name,
  startsAt,
  endsAt,
  podium,
  playersCount,
  correctedAt,
}: ShownSeason): Scene {
  const last = new Date(Date.parse(endsAt) - 1).toISOString();
  const [from, until] = [startsAt, last].map((at) => formatDay(at, DEFAULT_ZONE));
  const places = podium.slice(0, PODIUM_LINES).map((place) => ({
    left: `${rankText(place)}  ${drawable(place.username, "A player")}`,
    right: formatChange(place.netCents),
  }));
  const players = `${playersCount} ${playersCount === 1 ? "player" : "players"}`;
  const corrected = correctedAt == null ? "" : `, corrected ${formatDay(correctedAt, DEFAULT_ZONE)}`;
  return {
    kind: "lines",
    by: `${players}${corrected}`,
    aside: `${from} to ${until}, ${DEFAULT_ZONE}`,
    title: name,
    lines: places,
  };
}
