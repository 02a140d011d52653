/** The licences that packages may have, by their SPDX names. A new one is added here after it was read. */
export const allowedLicences: readonly string[] = [
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "ISC",
  "MIT",
  "MIT-0",
  "Python-2.0",
  "WTFPL",
  "Zlib",
  // Fonts: may be embedded, not sold alone.
  "OFL-1.1",
  // Binds changes of the package's own files only, and none is changed.
  "MPL-2.0",
  // A library that is loaded while the program runs, and can be replaced: libvips.
  "LGPL-3.0-or-later",
];

/**
 * True if an SPDX expression allows the use. With OR one of its licences is enough, with AND all are needed.
 * Example: `(WTFPL OR GPL-3.0-only)` is allowed, `(MIT AND GPL-3.0-only)` is not.
 */
export function isAllowed(expression: string): boolean {
  const words = expression.match(/\(|\)|[^\s()]+/g) ?? [];
  const result = readEither(words);
  return result && words.length === 0;
}

/** Reads `a AND b OR c` from the front of the words, and removes what it has read. */
function readEither(words: string[]): boolean {
  let result = readAll(words);
  while (words[0] === "OR") {
    words.shift();
    const other = readAll(words);
    result = result || other;
  }
  return result;
}

function readAll(words: string[]): boolean {
  let result = readOne(words);
  while (words[0] === "AND") {
    words.shift();
    const other = readOne(words);
    result = result && other;
  }
  return result;
}

function readOne(words: string[]): boolean {
  const word = words.shift() ?? "";
  if (word !== "(") return allowedLicences.includes(word);
  const result = readEither(words);
  return words.shift() === ")" && result;
}
