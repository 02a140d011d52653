import { readFileSync } from "node:fs";

/** For the operator of a machine on which web processes are restarted one after the other. */
export const MIGRATE_REQUESTS =
  "Warning: connections that arrive while a web process closes its port may be reset. Set net.ipv4.tcp_migrate_req=1 (Linux): " +
  "then they go to the other processes on the port. deploy/machines.md says how.";

/** True if the kernel resets the connections that wait in the queue of a port when one of several processes closes it. */
export function resetsArrivingConnections(): boolean {
  try {
    return readFileSync("/proc/sys/net/ipv4/tcp_migrate_req", "utf8").trim() === "0";
  } catch {
    return false;
  }
}
