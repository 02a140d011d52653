import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { readEnv } from "#src/settings/env.ts";
import { makeFileFolder } from "#tests/support/after-file.ts";

const folder = makeFileFolder();
const read = (variables: Record<string, string>) => readEnv({ DATA_DIR: folder, ...variables }).site;

/** A file in a folder of its own, so that the folder may be that of pages. */
function put(name: string, content: string | Uint8Array): { file: string; within: string } {
  const within = path.join(folder, crypto.randomUUID());
  mkdirSync(within);
  const file = path.join(within, name);
  writeFileSync(file, content);
  return { file, within };
}

const SVG =
  '<?xml version="1.0"?><!-- a mark --><svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>';

test("without its settings a site has the product's name, and neither logo nor accent nor pages", () => {
  expect(read({})).toEqual({ name: "Called It", logo: null, accent: null, pages: [] });
});

test.each([
  ["a".repeat(41), "too long"],
  ["Quiz\u0007Night", "with a control character"],
  ["Quiz\nNight", "of two lines"],
  ["Quiz\u202eNight", "that turns the text after it"],
])("the name %j is refused: %s", (name) => {
  expect(() => read({ SITE_NAME: name })).toThrow(
    "SITE_NAME must be at most 40 characters in one line, without control characters. " +
      "Correct it, or leave it out for the default (Called It).",
  );
});

test("a name may have any letters and signs, and 40 of them as people count", () => {
  for (const name of [`"<b>&'`, "חידון", "👩‍👩‍👧‍👦".repeat(10), "a".repeat(40)])
    expect(read({ SITE_NAME: name }).name).toBe(name);
});

test("an accent is a colour of six digits", () => {
  for (const accent of ["red", "#123", "0072b3", "#0072b3; color: red"])
    expect(() => read({ SITE_ACCENT: accent })).toThrow(/^SITE_ACCENT must be a colour such as #0072b3\./);
  expect(read({ SITE_ACCENT: "#0072B3" }).accent).toBe("#0072b3");
});

test("a logo is known by what it is, not by its name", () => {
  const png = Buffer.from("89504e470d0a1a0a0000", "hex");
  for (const [content, type] of [
    [SVG, "svg"],
    [png, "png"],
    ["RIFF\0\0\0\0WEBPVP8 ", "webp"],
  ] as const)
    expect(read({ SITE_LOGO: put("logo", content).file }).logo?.type).toBe(type);
});

test.each([
  ["a page", "<!doctype html><title>No</title>"],
  ["a broken SVG", '<svg xmlns="http://www.w3.org/2000/svg"><path></svg>'],
  ["a GIF", "GIF89a"],
])("%s is no logo, and the refusal says what is", (_what, content) => {
  expect(() => read({ SITE_LOGO: put("logo.svg", content).file })).toThrow(
    /^SITE_LOGO \/\S+ is no SVG, PNG or WebP file that can be shown\. Save the logo as one of these\./,
  );
});

test("a logo that is missing, empty or large is refused", () => {
  const missing = path.join(folder, "nothing.svg");
  expect(() => read({ SITE_LOGO: missing })).toThrow(
    `SITE_LOGO ${missing} cannot be read (ENOENT): name a file`,
  );
  for (const content of ["", "a".repeat(262_145)])
    expect(() => read({ SITE_LOGO: put("logo.svg", content).file })).toThrow(
      "is empty or larger than 256 KB",
    );
});

test("a folder of pages that is missing, without pages, or with a name that is no address is refused", () => {
  const missing = path.join(folder, "nothing");
  expect(() => read({ SITE_PAGES: missing })).toThrow(
    `SITE_PAGES ${missing} cannot be read (ENOENT): name a folder`,
  );
  expect(() => read({ SITE_PAGES: put("terms.txt", "x").within })).toThrow("has 0 files that end in .md");
  expect(() => read({ SITE_PAGES: put("terms.md", "").within })).toThrow("is empty");
  for (const name of ["Terms.md", "our terms.md", "terms.de.md", "-.md"])
    expect(() => read({ SITE_PAGES: put(name, "x").within })).toThrow(
      /cannot be an address: name it with small/,
    );
});

test("pages come in the order of their names, the terms first", () => {
  const { within } = put("privacy.md", "# Privacy");
  for (const name of ["imprint.md", "terms.md", "notes.txt"])
    writeFileSync(path.join(within, name), "# A page");
  expect(read({ SITE_PAGES: within }).pages.map(({ name }) => name)).toEqual(["terms", "imprint", "privacy"]);
});
