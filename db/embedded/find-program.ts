/**
 * Folders that are not on the path of every user: those of servers, and of other package managers. What is left out of the path otherwise is
 * left out on purpose.
 */
const OTHER_FOLDERS = "/usr/local/sbin:/usr/sbin:/sbin:/opt/homebrew/bin:/snap/bin";

/** The path of the first of these programs that this machine has; null if it has none. Nothing else asks for a program by its name. */
export function findProgram(...names: readonly string[]): string | null {
  for (const name of names) {
    const file = Bun.which(name) ?? Bun.which(name, { PATH: OTHER_FOLDERS });
    if (file !== null) return file;
  }
  return null;
}
