import type { Arrivals } from "#src/show/stage/schemas.ts";
import { widthOf } from "./text-width.ts";

export type Arrived = Arrivals["players"][number];

/** The names of a lobby as they fit on its board. */
export type NameBoard = {
  /** The size of the letters: as large as all names allow. */
  size: (typeof sizes)[number]["name"];
  /** What is shown one after the other; one page if all names fit. */
  pages: readonly (readonly Arrived[])[];
  /** Where there are several pages: who came last, first. */
  newest: readonly Arrived[];
};

/** Letters in hundredths of the screen's height, and how many rows of them the board has. The style sheet has the same sizes. */
const sizes = [
  { name: "large", letters: 6.2, rows: 4 },
  { name: "medium", letters: 4.8, rows: 6 },
  { name: "small", letters: 3.8, rows: 7 },
] as const;
const BOARD_WIDTH = 100;
/** The face, the space after it, and the space after the name, in letters' heights. */
const AROUND_NAME = 1.35 + 0.4 + 0.9;

/** @param players in the order in which they came. */
export function nameBoardOf(players: readonly Arrived[]): NameBoard {
  const [large, medium, small] = sizes;
  for (const size of [large, medium, small]) {
    const pages = paginate(players, size);
    if (pages.length <= 1) return { size: size.name, pages, newest: [] };
  }
  // One row is for those who have just come.
  const pages = paginate(players, { ...small, rows: small.rows - 1 });
  const [newest = []] = paginate(players.slice(-PER_ROW_MAX).toReversed(), { ...small, rows: 1 });
  return { size: small.name, pages, newest };
}

const PER_ROW_MAX = 12;

function paginate(players: readonly Arrived[], { letters, rows }: { letters: number; rows: number }) {
  const pages: Arrived[][] = [];
  const rowWidth = BOARD_WIDTH / letters;
  let [row, used] = [0, rowWidth];
  for (const player of players) {
    const width = Math.min(rowWidth, AROUND_NAME + widthOf(player.username));
    if (used + width > rowWidth) {
      row += 1;
      used = 0;
      if ((row - 1) % rows === 0) pages.push([]);
    }
    used += width;
    pages.at(-1)?.push(player);
  }
  return pages;
}
