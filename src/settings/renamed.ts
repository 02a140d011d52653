/**
 * Deprecated settings: those with a new name. The former one works until the release in `until`, and is ignored where the new one is
 * set. A line stays for at least one release, and CHANGELOG.md has it under "Deprecated". `bun run release` refuses a
 * release with which a line is due.
 */
export const renamed = [{ from: "WEB_PROCESSES", to: "WEB_CONCURRENCY", until: "0.4.0" }] as const;

type Variables = Readonly<Record<string, string | undefined>>;

/** The value of a setting, which may still be under its former name. */
export function valueOf(source: Variables, name: string): string | undefined {
  return given(source, name) ?? formerNames(name).map((former) => given(source, former))[0];
}

/** A sentence for each former name that is used. */
export function listRenamed(source: Variables): string[] {
  return renamed
    .filter(({ from }) => given(source, from) !== undefined)
    .map(
      ({ from, to, until }) =>
        `${from} is called ${to} now. The former name stops working with release ${until}.`,
    );
}

function formerNames(name: string): string[] {
  return renamed.filter(({ to }) => to === name).map(({ from }) => from);
}

/** An empty variable counts as not set. */
function given(source: Variables, name: string): string | undefined {
  const value = source[name]?.trim();
  return value === "" ? undefined : value;
}
