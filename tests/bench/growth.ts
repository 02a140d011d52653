import { entriesOf } from "../growth/fill-growth.ts";
import { FULL, shapeOf } from "../growth/fill-size.ts";
import { serverPids } from "./cpu.ts";
import { atLeast, atMost, type Goal } from "./goal.ts";
import { measureLists } from "./growth-lists.ts";
import { openWorld, type World } from "./growth-world.ts";
import { clientNotes, CONNECTIONS, type Measured, measurePages, type PageServer } from "./measure-pages.ts";
import { median } from "./numbers.ts";
import { visitsOf } from "./page.ts";
import { type Client, placeByHttp, placeForRound, type PlacingRound } from "./placing.ts";
import { show, showRatio, type Table } from "./table.ts";
import { waitForBroadcasts } from "./wait-for-broadcasts.ts";

/** Another largest factor can be given as an argument. In `bench all` it is less, because filling the largest product takes long. */
const LARGEST =
  process.argv.map(Number).find((factor) => factor > 0) ?? (process.argv.includes("all") ? 10 : 100);
const SIZES = process.argv.includes("--full")
  ? [
      { name: "1 x", shape: shapeOf(1) },
      { name: "full", shape: FULL },
    ]
  : [1, ...[10, 100].filter((factor) => factor < LARGEST), LARGEST].map((factor) => ({
      name: `${factor} x`,
      shape: shapeOf(factor),
    }));
const PLACING_ROUNDS = 4;
const PLACING_CLIENTS = 8;

/**
 * Measures products of three sizes side by side: 1,000, 10,000 and 100,000 users, all of them registered for the running
 * session, with as many times more sessions, calls and entries. The baseline of each figure is that of the smallest product.
 */
export async function benchGrowth(): Promise<Table[]> {
  const worlds: World[] = [];
  try {
    for (const size of SIZES) worlds.push(await openWorld(size));
    const pages = await measurePages(await Promise.all(worlds.map(serverOf)));
    const lists = await measureLists(worlds);
    // Last, because it changes the balances that the pages show.
    const placing = await measurePlacing(worlds);
    return [tableOf(worlds, { pages, placing }), lists];
  } finally {
    for (const world of worlds) await world.stop();
  }
}

async function serverOf({ name, deps, show: built, web }: World): Promise<PageServer> {
  const { postgres, redis } = await serverPids(deps);
  return {
    name,
    origin: web.origin,
    visits: visitsOf(built),
    pids: { web: web.pids, postgres, redis },
  };
}

/** Calls on the open event, over HTTP, in each world in turn. The first round does not count. */
async function measurePlacing(worlds: readonly World[]): Promise<PlacingRound[]> {
  const rounds = worlds.map(() => [] as PlacingRound[]);
  for (let round = 0; round < PLACING_ROUNDS; round += 1) {
    for (const [index, world] of worlds.entries()) {
      const clients = clientsOf(world);
      const placed = await placeForRound(
        { clients, openLane: placeByHttp(world.web.origin) },
        PLACING_CLIENTS,
      );
      await waitForBroadcasts(world.deps);
      if (round > 0) rounds[index]?.push(placed);
    }
  }
  return rounds.map((kept) => ({
    perSecond: median(kept.map(({ perSecond }) => perSecond)),
    p50Ms: median(kept.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(kept.map(({ p99Ms }) => p99Ms)),
  }));
}

function clientsOf({ show: { viewers, spotIds } }: World): Client[] {
  return viewers.map(({ id, credentials }, index) => ({
    userId: id,
    spotId: spotIds[index % spotIds.length] ?? Number.NaN,
    headers: credentials,
  }));
}

type Figures = { pages: readonly Measured[]; placing: readonly PlacingRound[] };

function tableOf(worlds: readonly World[], { pages, placing }: Figures): Table {
  const row = (name: string, figures: readonly number[]) => [
    name,
    ...figures.map(show),
    ...figures.slice(1).map((figure) => showRatio(figure / (figures[0] ?? Number.NaN))),
  ];
  const sizes = worlds.map(({ name }) => name);
  return {
    title: `growth: the Action page (${CONNECTIONS} connections), calls (${PLACING_CLIENTS} clients) and settlement in products of different sizes`,
    rows: [
      ["", ...sizes, ...sizes.slice(1).map((size) => `${size} / 1 x`)],
      row(
        "pages/s",
        pages.map(({ perSecond }) => perSecond),
      ),
      row(
        "page p99 ms",
        pages.map(({ p99Ms }) => p99Ms),
      ),
      row(
        "page, web us",
        pages.map(({ cpuUs }) => cpuUs.web),
      ),
      row(
        "page, Postgres us",
        pages.map(({ cpuUs }) => cpuUs.postgres),
      ),
      row(
        "page, Redis us",
        pages.map(({ cpuUs }) => cpuUs.redis),
      ),
      row(
        "calls/s",
        placing.map(({ perSecond }) => perSecond),
      ),
      row(
        "call p50 ms",
        placing.map(({ p50Ms }) => p50Ms),
      ),
      row(
        "call p99 ms",
        placing.map(({ p99Ms }) => p99Ms),
      ),
      row(
        "settled, us per call",
        worlds.map(({ settled }) => (settled.ms * 1_000) / settled.calls),
      ),
      ...sizeRows(worlds),
    ],
    goals: goalsOf(worlds, { pages, placing }),
    notes: [
      "1 x: 1,000 users, 20 sessions, 10,200 calls and 12,600 entries; all users are registered for the session of the page.",
      ...clientNotes(pages),
    ],
  };
}

/** How large the worlds are, and what filling and checking them took. */
function sizeRows(worlds: readonly World[]): string[][] {
  const row = (name: string, figure: (world: World) => number) => [
    name,
    ...worlds.map((world) => show(figure(world))),
  ];
  return [
    row("entries", ({ filled }) => entriesOf(filled)),
    row("database MB", ({ bytes }) => bytes / 1_048_576),
    row("filled in s", ({ fillMs }) => fillMs / 1_000),
    row("books checked in s", ({ checkMs }) => checkMs / 1_000),
  ];
}

/** The goals of the largest product, beside the smallest one. */
function goalsOf(worlds: readonly World[], { pages, placing }: Figures): Goal[] {
  const growth = (figures: readonly number[]) => (figures.at(-1) ?? Number.NaN) / (figures[0] ?? Number.NaN);
  const size = `at ${worlds.at(-1)?.name}`;
  const pagesGrowth = growth(pages.map(({ perSecond }) => perSecond));
  const callsGrowth = growth(placing.map(({ perSecond }) => perSecond));
  const settledGrowth = growth(worlds.map(({ settled }) => settled.ms / settled.calls));
  return [
    atLeast(0.9, { what: `pages a second ${size}`, measured: pagesGrowth, unit: "x" }),
    atLeast(0.9, { what: `calls a second ${size}`, measured: callsGrowth, unit: "x" }),
    atMost(0, {
      what: "checks of the books with differences",
      measured: worlds.flatMap(({ differences }) => differences).length,
      unit: "",
    }),
    atMost(1.2, { what: `settlement of a call ${size}`, measured: settledGrowth, unit: "x" }),
  ];
}
