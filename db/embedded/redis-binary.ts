import { existsSync, mkdirSync, symlinkSync, rmSync } from "node:fs";
import path from "node:path";
import { isRoot } from "./data-folder.ts";

const cure =
  "Called It needs Redis, and there is none on this machine. Install it, or set REDIS_URL to one that runs:\n" +
  "  Debian, Ubuntu   sudo apt-get install redis-tools\n" +
  "  Fedora, RHEL     sudo dnf install valkey\n" +
  "  Alpine           sudo apk add redis\n" +
  "  macOS            brew install redis";

/**
 * Finds a Redis to run, and as root on Debian and Ubuntu installs one: `redis-tools`, which holds the program but no service
 * that would start at boot.
 * @param dataDir gets a link under the name that the program listens to.
 * @param say called with a line before something is installed.
 * @throws with the cure for this and other systems where there is none.
 */
export function findRedis(dataDir: string, say: (line: string) => void): string {
  const found = onPath(dataDir);
  if (found !== null) return found;
  if (isRoot() && Bun.which("apt-get") !== null) {
    say("installing Redis with apt-get");
    installPackage("redis-tools");
  }
  const installed = onPath(dataDir);
  if (installed === null) throw new Error(cure);
  return installed;
}

/** Installs one Debian package quietly; whether it worked is seen by looking for its program. */
export function installPackage(name: string): void {
  const options = { env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", DEBIAN_FRONTEND: "noninteractive" } };
  const install = ["apt-get", "install", "-y", "-q", "--no-install-recommends", name];
  if (Bun.spawnSync(install, options).exitCode === 0) return;
  Bun.spawnSync(["apt-get", "update", "-q"], options);
  Bun.spawnSync(install, options);
}

function onPath(dataDir: string): string | null {
  const server = Bun.which("redis-server") ?? Bun.which("valkey-server");
  if (server !== null) return server;
  // The same program checks files or serves, depending on the name it is called by.
  const twin = Bun.which("redis-check-rdb");
  if (twin === null) return null;
  const link = path.join(dataDir, "redis-server");
  if (!existsSync(link)) {
    mkdirSync(dataDir, { recursive: true });
    rmSync(link, { force: true });
    symlinkSync(twin, link);
  }
  return link;
}
