import { expect, test } from "bun:test";
import { ownVariables } from "#src/settings/env.ts";

/** The start of a Postgres on a busy machine. */
const WITHIN_MS = 120_000;

test(
  "a test that fails in the middle holds up nothing: the others run, all clean-up runs, and what does not end is named",
  async () => {
    const child = Bun.spawn(
      [process.execPath, "test", `--timeout=${WITHIN_MS}`, "./tests/support/planted-failure.ts"],
      {
        env: ownVariables(),
        stdin: "ignore",
        stdout: "pipe",
        stderr: "pipe",
      },
    );
    const [printed, report] = await Promise.all(
      [child.stdout, child.stderr].map(async (stream) => Bun.stripANSI(await new Response(stream).text())),
    );
    expect(await child.exited).not.toBe(0);
    for (const line of ["the next test ran", "the clean-up of a test ran", "the first clean-up ran"])
      expect(printed).toContain(line);
    expect(report).toContain("(fail) a test that fails");
    expect(report).toMatch(/a clean-up did not end within 2 s: async \(\) => \{\s+child\.kill\(\);/);
  },
  WITHIN_MS,
);
