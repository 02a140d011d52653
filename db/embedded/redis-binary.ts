import { existsSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import path from "node:path";
import { findProgram } from "./find-program.ts";
import { findOrInstall, type Program } from "./programs.ts";

/** The program that is a server or a file checker, depending on the name by which it is called. */
const BY_NAME = "redis-check-rdb";

/**
 * Redis, or Valkey. Debian's `redis-tools` has the whole program without the service that would start at boot and use a port.
 */
export const redisProgram: Program = {
  name: "Redis",
  packages: { "apt-get": "redis-tools", dnf: "valkey", apk: "redis", brew: "redis" },
  find: () => findProgram("redis-server", "valkey-server", BY_NAME),
};

/**
 * The path of a Redis to run; see findOrInstall.
 * @param dataDir gets a link to the program, where it needs the name that makes it a server.
 */
export function findRedis(dataDir: string, print: (line: string) => void): string {
  const program = findOrInstall(redisProgram, print);
  if (path.basename(program) !== BY_NAME) return program;
  const link = path.join(dataDir, "redis-server");
  if (!existsSync(link)) {
    mkdirSync(dataDir, { recursive: true });
    rmSync(link, { force: true });
    symlinkSync(program, link);
  }
  return link;
}
