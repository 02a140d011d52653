import * as v from "valibot";

const TIMEOUT_MS = 20_000;

const advisories = v.record(
  v.string(),
  v.array(v.object({ title: v.string(), severity: v.string(), url: v.optional(v.string(), "") })),
);

/** What is known about the packages: a line for each vulnerability, or why nobody could be asked. */
export type Vulnerabilities = { checked: true; lines: string[] } | { checked: false; reason: string };

/**
 * Asks the package registry for known vulnerabilities of the packages in bun.lock.
 * @param command by default `bun audit`.
 */
export async function findVulnerabilities(
  command: string[] = [process.execPath, "audit", "--json"],
): Promise<Vulnerabilities> {
  const child = Bun.spawn(command, { stdin: "ignore", stdout: "pipe", stderr: "pipe", timeout: TIMEOUT_MS });
  const [output, errors] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  const read = v.safeParse(advisories, parseOrNull(output));
  if (!read.success) {
    const [reason = ""] = errors.trim().split("\n").slice(-1);
    return { checked: false, reason: reason === "" ? "the registry does not answer" : reason };
  }
  const lines = Object.entries(read.output).flatMap(([name, found]) =>
    found.map(({ title, severity, url }) => `${name}: ${title} (${severity}) ${url}`),
  );
  return { checked: true, lines };
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
