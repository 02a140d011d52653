import { existsSync, mkdirSync, symlinkSync, rmSync } from "node:fs";
import path from "node:path";
import { findProgram } from "./find-program.ts";
import { canInstallDebian, installDebian } from "./install-debian.ts";

const installHint =
  "Called It needs Redis, and there is none on this machine. Install it, or set REDIS_URL to one that runs:\n" +
  "  Debian, Ubuntu   sudo apt-get install redis-tools\n" +
  "  Fedora, RHEL     sudo dnf install valkey\n" +
  "  Alpine           sudo apk add redis\n" +
  "  macOS            brew install redis";

/**
 * Finds a Redis to run. As root on Debian and Ubuntu it installs one: the package `redis-tools`, which has the whole program
 * without the service that would start at boot and use a port.
 * @param dataDir gets a link to the program, with the name that makes it a server.
 * @param print called with a line before something is installed.
 * @throws with what to install on which system, if there is no Redis.
 */
export function findRedis(dataDir: string, print: (line: string) => void): string {
  const installedBefore = findInstalled(dataDir);
  if (installedBefore !== null) return installedBefore;
  if (canInstallDebian()) {
    print("installing Redis with apt-get");
    installDebian(["redis-tools"]);
  }
  const installed = findInstalled(dataDir);
  if (installed === null) throw new Error(installHint);
  return installed;
}

function findInstalled(dataDir: string): string | null {
  const server = findProgram("redis-server", "valkey-server");
  if (server !== null) return server;
  // The same program is a file checker or a server, depending on the name it is called by.
  const checkTool = findProgram("redis-check-rdb");
  if (checkTool === null) return null;
  const link = path.join(dataDir, "redis-server");
  if (!existsSync(link)) {
    mkdirSync(dataDir, { recursive: true });
    rmSync(link, { force: true });
    symlinkSync(checkTool, link);
  }
  return link;
}
