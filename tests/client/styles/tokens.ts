import { readFileSync } from "node:fs";
import path from "node:path";
import { type Colour, colourOf } from "./colour.ts";

const STYLES = path.join(import.meta.dir, "../../../client/styles");
/** The looks of the product. High contrast is light or dark, as the system is. */
export const looks = ["light", "dark", "light, high contrast", "dark, high contrast"] as const;
export type Look = (typeof looks)[number];

/** The colours of one look, by the names of their tokens without the dashes. */
export type Tokens = (name: string) => Colour;

/** Reads the colours that the product ships from its style sheets. */
export function tokensOf(look: Look): Tokens {
  const files = look.endsWith("contrast") ? ["tokens.css", "contrast/high-contrast.css"] : ["tokens.css"];
  const values = new Map(files.flatMap(readValues));
  const read = (name: string): Colour => {
    const value = values.get(name);
    if (value === undefined) throw new Error(`There is no token --${name}.`);
    const reference = /^var\(--([\w-]+)\)$/.exec(value)?.[1];
    if (reference !== undefined) return read(reference);
    const both = /^light-dark\((\S+), (\S+)\)$/.exec(value);
    return colourOf((look.startsWith("light") ? both?.[1] : both?.[2]) ?? value);
  };
  return read;
}

/** The custom properties that a file gives the document. */
function readValues(file: string): [string, string][] {
  const css = readFileSync(path.join(STYLES, file), "utf8").replaceAll(/\/\*[\s\S]*?\*\//g, "");
  const rule = /:root \{([^}]*)\}/.exec(css)?.[1] ?? "";
  return [...rule.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name = "", value = ""]) => [
    name,
    value.trim(),
  ]);
}
