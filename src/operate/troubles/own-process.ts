import { hostname } from "node:os";
import type { Logger } from "pino";

/** This process, as its troubles name it: "web-2 (process 4711 on host-a)". @param log of this process. */
export function ownProcess(log: Logger): string {
  return `${String(log.bindings()["name"])} (process ${process.pid} on ${hostname()})`;
}
