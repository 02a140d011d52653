import { writeFileSync } from "node:fs";
import path from "node:path";
import { type Architecture, readArchitecture } from "./read-architecture.ts";

export const ARCHITECTURE_FILE = path.join(import.meta.dirname, "architecture.svg");

const ROW = 21;
const TOP = 56;
const ROOMS = { x: 430, width: 132 };
const SIDE = { x: 48, width: 184, height: 92 };
/** Where the arrow from the client to the database passes the jobs by. */
const PAST = 24;
const WIDTH = 1_000;
const STYLE = `
text { font: 13px system-ui, sans-serif; fill: #14171a } .small { font-size: 12px; fill: #5a6168 } .head { font-weight: 700; font-size: 15px }
.ground { fill: #ffffff } .box { fill: #f4f5f2; stroke: #7c848a } .arrow { fill: none; stroke: #5a6168; stroke-opacity: .55 } .tip { fill: #5a6168 }
.wide { fill: none; stroke: #14171a; stroke-width: 1.5 }
@media (prefers-color-scheme: dark) {
text { fill: #f3f5f1 } .small { fill: #9aa2a8 } .ground { fill: #181b1f } .box { fill: #21252a; stroke: #79828a } .arrow { stroke: #9aa2a8 } .tip { fill: #9aa2a8 }
.wide { stroke: #f3f5f1 } }`;

/** Draws the architecture from the imports of the code. @returns what was written. */
export function drawArchitecture(): string {
  const architecture = readArchitecture();
  writeFileSync(ARCHITECTURE_FILE, draw(architecture));
  return `${ARCHITECTURE_FILE}: ${architecture.rooms.length} rooms, ${architecture.arrows.length} arrows`;
}

/** The rooms in their order, the lowest at the bottom. An arrow leads from a room to one that it imports. */
function draw(architecture: Architecture): string {
  const { rooms, arrows } = architecture;
  const bottom = TOP + rooms.length * ROW;
  const height = bottom + 40;
  const middle = (room: string) => TOP + (rooms.length - 1 - rooms.indexOf(room)) * ROW + ROW / 2;
  const between = arrows.filter(([from, to]) => rooms.includes(from) && rooms.includes(to));
  const count = (is: (arrow: readonly [string, string]) => boolean) => arrows.filter(is).length;
  const toRooms = (top: string) => count(([from, to]) => from === top && rooms.includes(to));
  const fromRooms = (top: string) => count(([from, to]) => to === top && rooms.includes(from));
  const [clientY, jobsY, dbY] = [TOP, TOP + (bottom - TOP - SIDE.height) / 2, bottom - SIDE.height];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="The rooms of src in their order, and what imports what">`,
    `<metadata>${JSON.stringify(architecture)}</metadata><style>${STYLE}</style>`,
    `<rect class="ground" width="${WIDTH}" height="${height}" rx="12"/>`,
    `<text class="head" x="${ROOMS.x}" y="34">src: each room imports only rooms below it</text>`,
    ...between.map(([from, to]) => arc(middle(from), middle(to))),
    ...rooms.map((room) => roomBox(room, middle(room))),
    ...sideBox("client", "the React app", clientY),
    ...sideBox("jobs", "the worker and its queues", jobsY),
    ...sideBox("db", "tables, SQL, the ledger", dbY),
    wide([SIDE.x + SIDE.width, clientY + 30], [ROOMS.x - 8, clientY + 30]),
    label(clientY + 24, `contracts and types of ${toRooms("client")} rooms`),
    wide([ROOMS.x - 8, clientY + 66], [SIDE.x + SIDE.width, clientY + 66]),
    label(clientY + 60, "pages renders it"),
    wide([SIDE.x + SIDE.width, jobsY + 30], [ROOMS.x - 8, jobsY + 30]),
    label(jobsY + 24, `verbs of ${toRooms("jobs")} rooms`),
    wide([ROOMS.x - 8, jobsY + 66], [SIDE.x + SIDE.width, jobsY + 66]),
    label(jobsY + 60, "main: its dashboard"),
    wide([ROOMS.x - 8, dbY + 46], [SIDE.x + SIDE.width, dbY + 46]),
    label(dbY + 40, `${fromRooms("db")} rooms`),
    wide([SIDE.x + 60, jobsY + SIDE.height], [SIDE.x + 60, dbY]),
    `<path class="wide" d="M${SIDE.x} ${clientY + 46}H${PAST}V${dbY + 46}H${SIDE.x}"/><path class="tip" d="M${SIDE.x} ${dbY + 46}l-8 -5v10z"/>`,
    `<text class="small" x="${PAST + 10}" y="${clientY + SIDE.height + 24}">lists alone</text>`,
    `<text class="small" x="${SIDE.x}" y="${height - 14}">Drawn from the imports. Left out: an arrow from a to c where a leads to b and b to c.</text>`,
    "</svg>",
    "",
  ].join("\n");
}

function roomBox(room: string, y: number): string {
  const name = room === "top" ? "main, server" : room;
  return `<rect class="box" x="${ROOMS.x}" y="${y - 9}" width="${ROOMS.width}" height="18" rx="4"/><text x="${ROOMS.x + 10}" y="${y + 4.5}">${name}</text>`;
}

/** From the room above to the one below it, to the right of all rooms. */
function arc(from: number, to: number): string {
  const x = ROOMS.x + ROOMS.width;
  const out = x + 24 + (to - from) * 0.62;
  return `<path class="arrow" d="M${x} ${from + 2}C${out} ${from + 2} ${out} ${to - 2} ${x + 6} ${to - 2}"/><path class="tip" d="M${x + 1} ${to - 2}l6 -3v6z"/>`;
}

function sideBox(name: string, about: string, y: number): string[] {
  return [
    `<rect class="box" x="${SIDE.x}" y="${y}" width="${SIDE.width}" height="${SIDE.height}" rx="8"/>`,
    `<text class="head" x="${SIDE.x + 16}" y="${y + 40}">${name}</text>`,
    `<text class="small" x="${SIDE.x + 16}" y="${y + 62}">${about}</text>`,
  ];
}

type Point = readonly [x: number, y: number];

/** A straight arrow between two parts. */
function wide([fromX, fromY]: Point, [x, y]: Point): string {
  const vertical = fromX === x;
  const tip = vertical ? `M${x} ${y}l-5 -8h10z` : `M${x} ${y}l${fromX < x ? -8 : 8} -5v10z`;
  return `<path class="wide" d="M${fromX} ${fromY}L${x} ${y}"/><path class="tip" d="${tip}"/>`;
}

/** A text over the arrow at this height. */
function label(y: number, text: string): string {
  return `<text class="small" x="${SIDE.x + SIDE.width + 12}" y="${y}">${text}</text>`;
}
