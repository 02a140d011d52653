const MARK = "Figure: ";

/** Prints a figure of a proof, which `bun run prove` writes into PROOF.md. Example: `figure("a call came back after 1.2 s")`. */
export function figure(text: string): void {
  process.stdout.write(`${MARK}${text}\n`);
}

/** The figures in the lines that a proof has printed. */
export function figuresIn(lines: readonly string[]): string[] {
  return lines.flatMap((line) => (line.startsWith(MARK) ? [line.slice(MARK.length)] : []));
}
