import { formatChange, formatMoney, say } from "#src/http/contract.ts";
import { isNearlyAlone } from "#src/play/calls/contract.ts";
import type { SharedView } from "./schemas.ts";

/** What a link shows, before it has its title and description. */
export type Untitled = Omit<SharedView, "title" | "description">;
type Words = Pick<SharedView, "title" | "description">;

/** The title and the description of a link, as sites print them beside its picture. */
export function wordsFor(shared: Untitled): Words {
  const { call, summary, records, username } = shared;
  if (records !== null) return wordsForRecords(shared, records);
  if (call !== null)
    return call.outcome === null ? wordsForCall(shared, call) : wordsForResult(username, call);
  return summary === null ? { title: username, description: "" } : wordsForSummary(shared, summary);
}

/** "=2" for a shared rank, "2" for another, as in the list of leaders. */
export function rankText({ rank, tied }: { rank: number; tied: boolean }): string {
  return tied ? `=${rank}` : String(rank);
}

type Call = NonNullable<SharedView["call"]>;

function wordsForCall({ username, timeZone }: Untitled, { title, label, wagerCents, placedAt }: Call): Words {
  const { clock, day } = formatStamp(placedAt, timeZone);
  return {
    title: say`${username} says ${label}: ${title}`,
    description: say`${label}, ${formatMoney(wagerCents)}. Placed ${clock}, ${day}. On the record.`,
  };
}

function wordsForResult(username: string, call: Call): Words {
  const net = formatChange(call.netCents ?? 0);
  const titles = {
    won: say`${username} called it: ${net}`,
    right: say`${username} was right, and nobody took the other side`,
    lost: say`It went the other way for ${username}: ${net}`,
    refunded: say`${username} got the wager back`,
  };
  const title = titles[endOf(call)];
  const said = say`${call.title} ${username} said ${call.label}.`;
  return {
    title: call.corrected ? `Corrected: ${title}` : title,
    description: [said, storyOf(username, call)].join(" ").trim(),
  };
}

/** How a call ended: who was right without an opponent has more to show than a refund. */
export function endOf({ outcome, refundReason }: Call): "won" | "right" | "lost" | "refunded" {
  return refundReason === "no_loser" ? "right" : (outcome ?? "refunded");
}

/** "Only ana and 2 of 41 saw it."; empty where that is no story. */
export function storyOf(username: string, { outcome, sameCount, callsCount }: Call): string {
  if (outcome !== "won" || !isNearlyAlone(sameCount, callsCount)) return "";
  const others = sameCount > 1 ? ` and ${sameCount - 1}` : "";
  return say`Only ${username}${others} of ${callsCount} saw it.`;
}

type Records = NonNullable<SharedView["records"]>;

function wordsForRecords({ username, timeZone }: Untitled, records: Records): Words {
  const lines = recordLines(records, timeZone).map(({ left, right }) => `${left}: ${right}`);
  return { title: say`${username}'s records`, description: say`${lines.join(". ")}.` };
}

/** What a picture says in one line: at its left what it is about, at its right the number. */
export type Line = { left: string; right: string };

const RANKS_SHOWN = 2;

/** The records of a player, a line each, with when they happened. */
export function recordLines({ longestStreak, bestNight, seasons }: Records, timeZone: string): Line[] {
  const day = (at: string) => formatDay(at, timeZone);
  const lines: Line[] = [];
  if (longestStreak !== null) {
    const days = new Set([day(longestStreak.from), day(longestStreak.until)]);
    lines.push({ left: `Right in a row, ${[...days].join(" to ")}`, right: String(longestStreak.length) });
  }
  if (bestNight !== null) {
    const where = bestNight.session === null ? "" : `: ${bestNight.session.name}`;
    lines.push({ left: `Best night, ${day(bestNight.at)}${where}`, right: formatChange(bestNight.netCents) });
  }
  const ranks = seasons.slice(0, RANKS_SHOWN).map(({ season, playersCount, ...place }) => ({
    left: season.name,
    right: `${rankText(place)} of ${playersCount}`,
  }));
  return [...lines, ...ranks];
}

type Summary = NonNullable<SharedView["summary"]>;

function wordsForSummary({ username, sessionName }: Untitled, summary: Summary): Words {
  const { rank, tied, playersCount, wins, losses, netCents, best } = summary;
  const place = rank === null ? "played" : `was ${rankText({ rank, tied })} of ${playersCount} in`;
  const bestCall =
    best === null ? "" : say` Best call: ${best.title} ${best.label}, ${formatChange(best.netCents)}.`;
  return {
    title: say`${username} ${place} ${sessionName ?? "a session"}`,
    description: `${wins} won, ${losses} lost, net ${formatChange(netCents)}.${bestCall}`,
  };
}

const TENTH_MS = 100;

/** A moment as a stamp prints it: "8:14:03.4 PM", and "22 Nov 2026, GMT+1". */
type Stamp = { clock: string; day: string };

/** Formats a moment in a time zone. Tenths of a second are truncated, as on the play screen. */
export function formatStamp(at: string, timeZone: string): Stamp {
  const time = new Date(at);
  // "8:14:03" and "PM", between which there is a blank of its own.
  const [clock, half] = time.toLocaleTimeString("en-US", { timeZone }).split(/\s/u);
  const zone = new Intl.DateTimeFormat("en-GB", { timeZone, timeZoneName: "short" })
    .formatToParts(time)
    .find(({ type }) => type === "timeZoneName")?.value;
  return {
    clock: `${clock}.${Math.floor((time.getTime() % 1_000) / TENTH_MS)} ${half}`,
    day: `${formatDay(at, timeZone)}, ${zone ?? timeZone}`,
  };
}

/** The day of a moment in a time zone: "22 Nov 2026". */
export function formatDay(at: string, timeZone: string): string {
  return new Date(at).toLocaleDateString("en-GB", {
    timeZone,
    day: "numeric",
    month: "short",
    year: "numeric",
  });
}
