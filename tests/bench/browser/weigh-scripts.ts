import { readFileSync } from "node:fs";
import path from "node:path";
import * as v from "valibot";

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const VLQ_BITS = 5;
const VLQ_MORE = 32;
const sourceMap = v.object({ sources: v.array(v.nullable(v.string())), mappings: v.string() });

/** What a group of modules adds to the scripts of a page, in bytes. */
export type Weight = { group: string; minified: number; compressed: number };

/**
 * Weighs the modules in scripts, by their source maps. A module's compressed bytes are its share of the minified ones: modules
 * compress together, so there is no other exact measure.
 * @param assetsDir has the scripts, their source maps and their compressed forms.
 * @param names of the scripts.
 */
export function weighScripts(assetsDir: string, names: readonly string[]): Weight[] {
  const weights = new Map<string, Weight>();
  for (const name of names) {
    const file = path.join(assetsDir, name);
    const code = readFileSync(file, "utf8");
    const share = readFileSync(`${file}.br`).length / Buffer.byteLength(code);
    const map = v.parse(v.pipe(v.string(), v.parseJson(), sourceMap), readFileSync(`${file}.map`, "utf8"));
    for (const [source, bytes] of bytesBySource(code, map.mappings)) {
      const group = groupOf(source === null ? null : (map.sources[source] ?? null));
      const weight = weights.get(group) ?? { group, minified: 0, compressed: 0 };
      weight.minified += bytes;
      weight.compressed += bytes * share;
      weights.set(group, weight);
    }
  }
  return [...weights.values()].toSorted((one, other) => other.compressed - one.compressed);
}

/** The libraries by name, the project's own modules by folder. */
function groupOf(source: string | null): string {
  if (source === null) return "bundler";
  const library = /node_modules\/(@[^/]+\/[^/]+|[^/]+)\//.exec(source)?.[1];
  if (library !== undefined) return ["react", "react-dom", "scheduler"].includes(library) ? "react" : library;
  const own = /(?:^|\/)((?:client|src|db)\/.*)$/.exec(source)?.[1];
  if (own === undefined) return "bundler";
  const folder = path.posix.dirname(own);
  return folder === "client" ? own : folder;
}

/** How many characters of the code each source has, by its index. */
function bytesBySource(code: string, mappings: string): Map<number | null, number> {
  const sizes = new Map<number | null, number>();
  const add = (source: number | null, size: number) => sizes.set(source, (sizes.get(source) ?? 0) + size);
  let source = 0;
  const lines = mappings.split(";");
  for (const [number, text] of code.split("\n").entries()) {
    let column = 0;
    let current: number | null = null;
    for (const segment of (lines[number] ?? "").split(",").filter(Boolean)) {
      const [columns = 0, sources] = decodeVlq(segment);
      add(current, columns);
      column += columns;
      if (sources !== undefined) source += sources;
      current = sources === undefined ? null : source;
    }
    add(current, text.length + 1 - column);
  }
  return sizes;
}

/** The numbers of a segment of a source map: base64, five bits a letter, lowest first; the lowest bit of a number is its sign. */
function decodeVlq(segment: string): number[] {
  const numbers: number[] = [];
  let value = 0;
  let shift = 0;
  for (const letter of segment) {
    const digit = BASE64.indexOf(letter);
    value += (digit % VLQ_MORE) * 2 ** shift;
    shift += VLQ_BITS;
    if (digit >= VLQ_MORE) continue;
    numbers.push(value % 2 === 0 ? value / 2 : -(value - 1) / 2);
    value = 0;
    shift = 0;
  }
  return numbers;
}
