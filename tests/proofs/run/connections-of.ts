import { readdirSync, readFileSync, readlinkSync } from "node:fs";

const ESTABLISHED = "01";
const LISTENING = "0A";
// The columns of /proc/net/tcp.
const LOCAL_ADDRESS = 1;
const STATE = 3;
const INODE = 9;

/** The established TCP connections of a process on Linux, by the inodes of their sockets. */
export function connectionsOf(pid: number): string[] {
  const established = new Set(
    readSockets(`/proc/${pid}/net/tcp`).flatMap((columns) =>
      columns[STATE] === ESTABLISHED ? [`socket:[${columns[INODE]}]`] : [],
    ),
  );
  return readdirSync(`/proc/${pid}/fd`).flatMap((descriptor) => {
    const target = readLink(`/proc/${pid}/fd/${descriptor}`);
    return target !== null && established.has(target) ? [target] : [];
  });
}

/** The sockets of all processes on Linux that listen at the port of an address, by their inodes. */
export function listenersOn(origin: string): string[] {
  const port = Number(new URL(origin).port).toString(16).toUpperCase().padStart(4, "0");
  return readSockets("/proc/net/tcp").flatMap((columns) =>
    columns[STATE] === LISTENING && columns[LOCAL_ADDRESS]?.endsWith(`:${port}`) === true
      ? [columns[INODE] ?? ""]
      : [],
  );
}

/** The columns of each socket. */
function readSockets(file: string): string[][] {
  return readFileSync(file, "utf8")
    .split("\n")
    .map((line) => line.trim().split(/\s+/));
}

/** Null for a descriptor that was closed meanwhile. */
function readLink(link: string): string | null {
  try {
    return readlinkSync(link);
  } catch {
    return null;
  }
}
