import { scaleLog } from "d3-scale";
import { line } from "d3-shape";
import { showPlayers } from "./tables.ts";

const SIZE = { width: 720, height: 380 };
const MARGIN = { top: 30, right: 128, bottom: 44, left: 64 };
const BAR = { height: 30, label: 300 };
const LABEL_GAP = 17;
const POWERS = /^1(0*)$/;

/** A line: its name, and its value for each number of players. */
export type Series = { name: string; values: readonly number[] };
type LineChart = {
  title: string;
  unit: string;
  players: readonly number[];
  series: readonly Series[];
  /** A line across: what one of something can do. */
  mark?: { value: number; text: string };
  show: (value: number) => string;
};

/** An SVG with a line for each series, both axes logarithmic. A table with the same figures is beside it, so it is one image. */
export function drawLines({ title, unit, players, series, mark, show }: LineChart): string {
  const values = series.flatMap((each) => each.values);
  const [low, high] = [Math.min(...values, mark?.value ?? Infinity), Math.max(...values)];
  const x = scaleLog()
    .domain([Math.min(...players), Math.max(...players)])
    .range([MARGIN.left, SIZE.width - MARGIN.right]);
  const y = scaleLog()
    .domain([low, high])
    .nice()
    .range([SIZE.height - MARGIN.bottom, MARGIN.top]);
  const right = SIZE.width - MARGIN.right;
  const ticks = y.ticks().filter((tick) => Math.abs(Math.log10(tick) % 1) < 1e-9);
  const path = line<number>()
    .x((_, index) => x(players[index] ?? 1))
    .y((value) => y(value));
  const labels = spread(series.map(({ name, values: of }) => ({ name, y: y(of.at(-1) ?? low) })));
  return svg(title, SIZE.height, [
    ...ticks.map(
      (tick) =>
        `<path class="grid" d="M${MARGIN.left} ${y(tick)}H${right}"/><text class="axis" text-anchor="end" x="${MARGIN.left - 8}" y="${y(tick) + 4}">${show(tick)}</text>`,
    ),
    ...players.map(
      (count) =>
        `<path class="grid" d="M${x(count)} ${MARGIN.top}V${SIZE.height - MARGIN.bottom}"/><text class="axis" text-anchor="middle" x="${x(count)}" y="${SIZE.height - MARGIN.bottom + 18}">${power(count)}</text>`,
    ),
    `<text class="axis" text-anchor="end" x="${right}" y="${SIZE.height - 6}">players</text>`,
    `<text class="axis" text-anchor="end" x="${MARGIN.left - 8}" y="12">${unit}</text>`,
    mark === undefined
      ? ""
      : `<path class="mark" d="M${MARGIN.left} ${y(mark.value)}H${right}"/><text class="note" x="${MARGIN.left + 8}" y="${y(mark.value) - 6}">${mark.text}</text>`,
    ...series.map((each, index) => `<path class="line l${index}" d="${path([...each.values]) ?? ""}"/>`),
    ...labels.map(({ name, y: at }) => `<text class="label" x="${right + 10}" y="${at + 4}">${name}</text>`),
  ]);
}

/** A bar for each limit, as long as the number of players that reach it, on a logarithmic axis. The first is the shortest. */
export function drawLimits(title: string, limits: readonly { name: string; players: number }[]): string {
  const height = limits.length * BAR.height + MARGIN.bottom;
  const finite = limits.map(({ players }) => players).filter(Number.isFinite);
  const x = scaleLog()
    .domain([1_000, Math.max(10_000, ...finite) * 1.4])
    .range([BAR.label, SIZE.width - 64])
    .clamp(true);
  const bottom = limits.length * BAR.height;
  const ticks = x.ticks().filter((tick) => Math.abs(Math.log10(tick) % 1) < 1e-9);
  return svg(title, height, [
    ...ticks.map(
      (tick) =>
        `<path class="grid" d="M${x(tick)} 0V${bottom}"/><text class="axis" text-anchor="middle" x="${x(tick)}" y="${bottom + 18}">${power(tick)}</text>`,
    ),
    `<text class="axis" text-anchor="end" x="${SIZE.width - 8}" y="${bottom + 36}">players</text>`,
    ...limits.map(({ name, players }, index) => {
      const top = index * BAR.height;
      const end = x(Number.isFinite(players) ? players : Number.MAX_VALUE);
      const value = Number.isFinite(players)
        ? Number(players.toPrecision(2)).toLocaleString("en-US", { notation: "compact" })
        : "never";
      return `<text class="label" text-anchor="end" x="${BAR.label - 10}" y="${top + 20}">${name}</text><rect class="bar${index === 0 ? " first" : ""}" x="${BAR.label}" y="${top + 6}" width="${Math.max(2, end - BAR.label)}" height="${BAR.height - 12}" rx="4"/><text class="note" x="${end + 8}" y="${top + 20}">${value}</text>`;
    }),
  ]);
}

function svg(title: string, height: number, parts: readonly string[]): string {
  return `<svg role="img" aria-label="${title}" viewBox="0 0 ${SIZE.width} ${height}">${parts.join("")}</svg>`;
}

/** Moves labels apart that would be one over the other. */
function spread(labels: readonly { name: string; y: number }[]): { name: string; y: number }[] {
  const placed: { name: string; y: number }[] = [];
  for (const label of labels.toSorted((a, b) => a.y - b.y))
    placed.push({ ...label, y: Math.max(label.y, (placed.at(-1)?.y ?? -LABEL_GAP) + LABEL_GAP) });
  return placed;
}

/** `10` with its power raised. */
function power(number: number): string {
  const zeros = POWERS.exec(String(number))?.[1]?.length;
  return zeros === undefined
    ? showPlayers(number)
    : `10<tspan dy="-5" font-size="9">${zeros}</tspan><tspan dy="5"></tspan>`;
}
