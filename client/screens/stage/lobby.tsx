import { formatCount } from "#client/base/format/count.ts";
import { minutes } from "#client/base/format/countdown.ts";
import * as words from "#client/base/format/words.ts";
import { useServerTime } from "#client/base/live/clock.ts";
import { useView } from "#client/events/view.ts";
import type { TeamView } from "#src/play/teams/schemas.ts";
import type { Arrivals } from "#src/show/stage/schemas.ts";
import { Face } from "./face.tsx";
import { TeamsFilling } from "./team-board.tsx";
import { widthOf } from "./text-width.ts";

const howToPlay = [
  "Scan the QR code, or type the address and the code.",
  "Choose a name. You need no account.",
  "Call what happens, with play money.",
] as const;

/** How long a page of names is shown where they do not all fit. */
const PAGE_MS = 6_000;

/** Letters in hundredths of the screen's height. The style sheet has the same sizes. */
const sizes = [
  { name: "large", letters: 6.2 },
  { name: "medium", letters: 4.8 },
  { name: "small", letters: 3.8 },
] as const;
/** The board below a name of two lines, and a row of names in letters' heights. */
const [BOARD_WIDTH, BOARD_HEIGHT, ROW_HEIGHT] = [100, 46.6, 1.55];
/** The strip of the teams: its letters, what is around a name in them, the height of a line, and the space below. */
const [STRIP_LETTERS, AROUND_TEAM, STRIP_LINE, STRIP_GAP] = [4.2, 2.3, 7.3, 2];
/** The face, the space after it, and the space after the name, in letters' heights. */
const AROUND_NAME = 1.35 + 0.4 + 0.9;

const PER_ROW_MAX = 12;

/** Before the start: when it starts, how many have come, the teams as they fill, and the names. */
export function Lobby({ arrivals, teams }: { arrivals: Arrivals | null; teams: readonly TeamView[] }) {
  return (
    <div className="lobby">
      <StartsIn />
      <section className="arrivals" aria-label="Who is in">
        {/* A new one for each number: words that make room for a digit would be seen to jump. */}
        <p key={arrivals?.count} className="how-many" translate="no">
          {arrivals === null || arrivals.count === 0 ? (
            "Nobody is in yet. Be the first."
          ) : (
            <>
              <b className="num">{formatCount(arrivals.count)}</b>{" "}
              <span>{arrivals.count === 1 ? "player is in" : "players are in"}</span>
            </>
          )}
        </p>
        <TeamsFilling teams={teams} />
        {arrivals === null || arrivals.count === 0 ? (
          <HowToPlay />
        ) : (
          <Names players={arrivals.players} teams={teams} />
        )}
      </section>
    </div>
  );
}

function HowToPlay() {
  return (
    <ol className="how-to">
      {howToPlay.map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ol>
  );
}

function StartsIn() {
  const { state, data } = useView();
  const startsAtMs = Date.parse(state.session.startsAt ?? "");
  const left = useServerTime(
    (nowMs) => (startsAtMs > nowMs ? minutes(startsAtMs - nowMs) : ""),
    data.serverTime,
  );
  if (left === "")
    return (
      <p className="starts">{Number.isNaN(startsAtMs) ? words.startsByHost : "Starts any moment now."}</p>
    );
  return (
    <p className="starts" role="timer" aria-label={`Starts in ${left}`} translate="no">
      <span aria-hidden="true">
        {words.startsIn} <b className="num">{left}</b>
      </span>
    </p>
  );
}

function Names({ players, teams }: { players: readonly Arrived[]; teams: readonly TeamView[] }) {
  const { data } = useView();
  const { size, pages, newest } = nameBoardOf(
    players,
    teams.map(({ name }) => name),
  );
  const at = useServerTime(
    (nowMs) => Math.floor(nowMs / PAGE_MS) % Math.max(1, pages.length),
    data.serverTime,
  );
  const shown = pages[at] ?? [];
  return (
    <div className="names" data-size={size}>
      {newest.length === 0 ? null : (
        // A new list for each newcomer: names that make room would be seen to jump.
        <ul key={newest[0]?.userId} className="newest" aria-label="Just came in">
          <NameItems players={newest} />
        </ul>
      )}
      <ul key={`${size} ${at}`}>
        <NameItems players={shown} />
      </ul>
    </div>
  );
}

function NameItems({ players }: { players: readonly Arrived[] }) {
  return players.map(({ userId, username, picture }) => (
    <li key={userId} translate="no">
      <Face picture={picture} username={username} />
      <bdi>{username}</bdi>
    </li>
  ));
}

type Arrived = Arrivals["players"][number];

type NameBoard = {
  /** The size of the letters: as large as all names allow. */
  size: (typeof sizes)[number]["name"];
  /** What is shown one after the other; one page if all names fit. */
  pages: readonly (readonly Arrived[])[];
  /** Where there are several pages: who came last, first. */
  newest: readonly Arrived[];
};

/**
 * @param players in the order in which they came.
 * @param teams their names, in a strip above the board.
 */
export function nameBoardOf(players: readonly Arrived[], teams: readonly string[] = []): NameBoard {
  const [large, medium, small] = sizes;
  const height = BOARD_HEIGHT - stripHeight(teams);
  const countRows = ({ letters }: { letters: number }) => Math.floor(height / (letters * ROW_HEIGHT));
  for (const size of [large, medium, small]) {
    const rows = rowsOf(players, size.letters);
    if (rows.length <= countRows(size))
      return { size: size.name, pages: players.length === 0 ? [] : [rows.flat()], newest: [] };
  }
  // One row is for those who have just come, who are on no page.
  const [newest = []] = rowsOf(players.slice(-PER_ROW_MAX).toReversed(), small.letters);
  const rows = rowsOf(players.slice(0, players.length - newest.length), small.letters);
  return { size: small.name, pages: pagesOf(rows, countRows(small) - 1), newest };
}

/** The last page is as full as the others: its first rows are on the one before too. */
function pagesOf(rows: readonly Arrived[][], perPage: number): Arrived[][] {
  return Array.from({ length: Math.ceil(rows.length / perPage) }, (_, page) => {
    const end = Math.min(rows.length, (page + 1) * perPage);
    return rows.slice(Math.max(0, end - perPage), end).flat();
  });
}

function rowsOf(players: readonly Arrived[], letters: number): Arrived[][] {
  const rows: Arrived[][] = [];
  const rowWidth = BOARD_WIDTH / letters;
  let used = rowWidth;
  for (const player of players) {
    const width = Math.min(rowWidth, AROUND_NAME + widthOf(player.username));
    if (used + width > rowWidth) {
      rows.push([]);
      used = 0;
    }
    used += width;
    rows.at(-1)?.push(player);
  }
  return rows;
}

/** About how high the strip of the teams is, which wraps too. */
function stripHeight(teams: readonly string[]): number {
  let [lines, used] = [0, BOARD_WIDTH];
  for (const name of teams) {
    const width = STRIP_LETTERS * (AROUND_TEAM + widthOf(name));
    if (used + width > BOARD_WIDTH) {
      lines += 1;
      used = 0;
    }
    used += width;
  }
  return lines === 0 ? 0 : STRIP_GAP + lines * STRIP_LINE;
}
