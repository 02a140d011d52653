import { expect, test } from "bun:test";
import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { Glob } from "bun";

const LINK = /\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"/g;
const CODE = /```.*?```|`[^`\n]*`/gs;
const BYTES_MAX = { picture: 150_000, recording: 2_000_000 };

/** The documents of the repository, and their links to its own files. */
const documents = ["*.md", "deploy/*.md", "db/*.md", ".github/*.md", "tests/bench/*.md"].flatMap(
  (pattern) => [...new Glob(pattern).scanSync({ dot: true })],
);
const links = documents.flatMap((file) => {
  const text = readFileSync(file, "utf8").replaceAll(CODE, "");
  return [...text.matchAll(LINK)]
    .map((found) => found[1] ?? found[2] ?? "")
    .filter((link) => !/^(https?|mailto):/.test(link))
    .map((link) => ({ file, link }));
});

test("each link of a document leads to a file, and to a heading of it", () => {
  expect(documents).toContain("README.md");
  const broken = links.filter(({ file, link }) => {
    const [target = "", anchor] = link.split("#");
    const found = target === "" ? file : path.join(path.dirname(file), target);
    return !existsSync(found) || (anchor !== undefined && !anchorsOf(found).includes(anchor));
  });
  expect(broken).toEqual([]);
});

test("the pictures of the documents are small enough for a phone", () => {
  const pictures = links.filter(({ link }) => /\.(webp|png|svg)$/.test(link));
  expect(pictures.length).toBeGreaterThan(4);
  const large = pictures.filter(({ file, link }) => {
    const { size } = statSync(path.join(path.dirname(file), link));
    return size > (link.includes("recording") ? BYTES_MAX.recording : BYTES_MAX.picture);
  });
  expect(large).toEqual([]);
});

/** The anchors that a Markdown page gives to its headings. */
function anchorsOf(file: string): string[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => /^#+ /.test(line))
    .map((line) =>
      line
        .replace(/^#+ /, "")
        .toLowerCase()
        .replaceAll(/[^\w -]/g, "")
        .replaceAll(" ", "-"),
    );
}
