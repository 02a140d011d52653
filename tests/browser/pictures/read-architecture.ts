import { readFileSync } from "node:fs";
import { Glob } from "bun";
import * as v from "valibot";
import { readSource } from "#tests/support/read-source.ts";
import { rooms } from "#tests/support/structure-rules.ts";

const architecture = v.object({
  /** The rooms of src, lowest first. */
  rooms: v.array(v.string()),
  /** Which parts import which, without those that follow from others: if a imports b and b imports c, a to c is left out. */
  arrows: v.array(v.tuple([v.string(), v.string()])),
});
/** What the picture of the architecture shows. A part is a room of src, or `client`, `jobs` and `db`. */
export type Architecture = v.InferOutput<typeof architecture>;

const TOPS = ["client", "jobs", "db"];
const DATA = /<metadata>(.*)<\/metadata>/s;

/** Reads the imports of all files of the product. */
export function readArchitecture(): Architecture {
  const imports = new Map<string, Set<string>>();
  for (const file of new Glob("{src,client,jobs,db}/**/*.{ts,tsx}").scanSync(".")) {
    const from = partOf(file);
    if (from === null) continue;
    const known = imports.get(from) ?? new Set<string>();
    imports.set(from, known);
    for (const { to } of readSource(file, readFileSync(file, "utf8")).imports) {
      const target = partOf(to);
      if (target !== null && target !== from) known.add(target);
    }
  }
  const used = [...rooms.map(([room]) => room), "top"].filter((room) => imports.has(room));
  return { rooms: used, arrows: arrowsOf(imports, used) };
}

/** The architecture that a picture shows. */
export function architectureIn(svg: string): Architecture {
  return v.parse(architecture, JSON.parse(DATA.exec(svg)?.[1] ?? "null"));
}

function partOf(file: string): string | null {
  const [top = "", room = ""] = file.split("/");
  if (TOPS.includes(top)) return top;
  if (top !== "src") return null;
  return room.includes(".") ? "top" : room;
}

/** Of the rooms without what follows, and of the other parts all. */
function arrowsOf(
  imports: ReadonlyMap<string, ReadonlySet<string>>,
  used: readonly string[],
): [string, string][] {
  const targets = (part: string) => [...(imports.get(part) ?? [])];
  const reached = new Map<string, Set<string>>();
  for (const room of used) {
    const all = targets(room).filter((to) => used.includes(to));
    reached.set(room, new Set(all.flatMap((to) => [to, ...(reached.get(to) ?? [])])));
  }
  const ofRooms = used.flatMap((room) => {
    const direct = targets(room).filter((to) => used.includes(to));
    const needed = direct.filter((to) => !direct.some((other) => reached.get(other)?.has(to) === true));
    return needed
      .toSorted((a, b) => used.indexOf(a) - used.indexOf(b))
      .map((to): [string, string] => [room, to]);
  });
  const others = TOPS.flatMap((top) => [
    ...used
      .filter((room) => imports.get(room)?.has(top) === true)
      .map((room): [string, string] => [room, top]),
    ...targets(top)
      .toSorted((a, b) => used.indexOf(a) - used.indexOf(b) || a.localeCompare(b))
      .map((to): [string, string] => [top, to]),
  ]);
  return [...ofRooms, ...others];
}
