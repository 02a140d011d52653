import { readdirSync, readFileSync, readlinkSync } from "node:fs";

const ESTABLISHED = "01";
// The columns of /proc/net/tcp.
const STATE = 3;
const INODE = 9;

/** The established TCP connections of a process on Linux, by the inodes of their sockets. */
export function connectionsOf(pid: number): string[] {
  const established = new Set(
    readFileSync(`/proc/${pid}/net/tcp`, "utf8")
      .split("\n")
      .map((line) => line.trim().split(/\s+/))
      .flatMap((columns) => (columns[STATE] === ESTABLISHED ? [`socket:[${columns[INODE]}]`] : [])),
  );
  return readdirSync(`/proc/${pid}/fd`).flatMap((descriptor) => {
    const target = readLink(`/proc/${pid}/fd/${descriptor}`);
    return target !== null && established.has(target) ? [target] : [];
  });
}

/** Null for a descriptor that was closed meanwhile. */
function readLink(link: string): string | null {
  try {
    return readlinkSync(link);
  } catch {
    return null;
  }
}
