import { readFileSync } from "node:fs";
import path from "node:path";

const TOP = path.join(import.meta.dir, "../..");

/**
 * A block of commands or settings in a document. Who runs it, or why nobody does, stands in a comment before it:
 * `<!-- run by tests/proofs/deploy/setup.proof.ts -->` or `<!-- not run: needs Docker -->`.
 */
export type Block = {
  /** The document and the line at which it begins. */
  at: string;
  /** The heading above it. */
  heading: string;
  /** The test that takes it from the document. */
  runBy: string | null;
  /** Why it is not run. */
  reason: string | null;
  text: string;
};

/** The blocks of a document in their order. */
export function readBlocks(document: string): Block[] {
  const lines = readFileSync(path.join(TOP, document), "utf8").split("\n");
  const blocks: Block[] = [];
  let heading = "";
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    heading = /^#+ (.*)/.exec(line)?.[1] ?? heading;
    const indent = /^( *)```/.exec(line)?.[1];
    if (indent === undefined) continue;
    const end = lines.findIndex((each, at) => at > index && each === `${indent}\`\`\``);
    const said = lines[index - 1] ?? "";
    blocks.push({
      at: `${document}:${index + 1}`,
      heading,
      runBy: /^ *<!-- run by (\S+) -->$/.exec(said)?.[1] ?? null,
      reason: /^ *<!-- not run: (.+) -->$/.exec(said)?.[1] ?? null,
      text: lines
        .slice(index + 1, end)
        .map((each) => each.slice(indent.length))
        .join("\n"),
    });
    index = end;
  }
  return blocks;
}

/** The blocks that a test runs: those of a document that name its file, below one of the headings if some are given. */
export function blocksRunBy(file: string, document: string, heading?: string): string[] {
  return readBlocks(document)
    .filter((block) => block.runBy === file && (heading === undefined || block.heading === heading))
    .map(({ text }) => text);
}
