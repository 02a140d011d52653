import path from "node:path";
import type { BunPlugin } from "bun";

/** A plain text in a module of texts, as the formatter writes it. */
const PLAIN_TEXT = /^export const (\w+) =\s+("(?:[^"\\]|\\.)*");$/gm;
const IMPORT = /^import \* as (\w+) from "(\.[^"]*-texts\.ts)";$/m;

/**
 * Puts the plain texts of a screen where its parts name them. In a module of their own each would cost the first scripts a name,
 * and a compressor finds less when a text is far from its use.
 */
export const inlineTexts: BunPlugin = {
  name: "inline-texts",
  setup(build) {
    build.onLoad({ filter: /\/client\/.*\.tsx?$/ }, async ({ path: file }) => ({
      contents: await withTexts(file),
      loader: file.endsWith("x") ? "tsx" : "ts",
    }));
  },
};

async function withTexts(file: string): Promise<string> {
  const code = await Bun.file(file).text();
  const [, name = "", texts = ""] = IMPORT.exec(code) ?? [];
  if (name === "") return code;
  const plain = new Map(
    [...(await Bun.file(path.join(path.dirname(file), texts)).text()).matchAll(PLAIN_TEXT)].map(
      ([, key = "", text = ""]) => [key, text],
    ),
  );
  return code.replaceAll(
    new RegExp(`\\b${name}\\.(\\w+)\\b`, "g"),
    (use, key: string) => plain.get(key) ?? use,
  );
}
