import { mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { findOrInstall } from "#db/embedded/programs.ts";
import { findRedis } from "#db/embedded/redis.ts";
import type { RedisClient } from "#src/base/redis.ts";
import { readyConnection } from "#tests/support/redis.ts";
import { testServers } from "#tests/support/servers.ts";
import { waitFor } from "#tests/support/wait-for.ts";

/** A Redis to which anything may happen. */
export type IllRedis = {
  url: string;
  pid: number;
  redis: RedisClient;
  command: (name: string, ...rest: string[]) => Promise<unknown>;
  /** Sets its clock off by so many seconds; the monotonic one goes on. */
  setClock: (seconds: number) => void;
  /** Its disk is full, as far as it can tell: it can save nothing, and takes no writes. */
  fillDisk: () => Promise<void>;
  /** It can save again, and has done so. */
  emptyDisk: () => Promise<void>;
  stop: () => Promise<void>;
};

const CLOCK_LIBRARY = "*/faketime/libfaketime.so.1";

/** Starts a Redis on a socket, under libfaketime, which is installed first if it is missing. */
export async function startIllRedis(): Promise<IllRedis> {
  const { folder: parent } = await testServers();
  const folder = path.join(parent, crypto.randomUUID().slice(0, 8));
  mkdirSync(folder, { recursive: true });
  const socket = path.join(folder, "redis.sock");
  const clock = path.join(folder, "clock");
  const setClock = (seconds: number) => writeFileSync(clock, `${seconds < 0 ? "" : "+"}${seconds}s\n`);
  setClock(0);
  const child = launch(folder, { socket, clock });
  await waitFor("the socket of Redis", () =>
    Bun.file(socket)
      .stat()
      .then(Boolean, () => false),
  );
  const url = `unix:${socket}`;
  const redis = await readyConnection(url);
  const command: IllRedis["command"] = (name, ...rest) => redis.call(name, ...rest);
  const save = async (state: "ok" | "err") => {
    await command("BGSAVE");
    const status = `rdb_last_bgsave_status:${state}`;
    await waitFor("the end of a save", async () =>
      String(await command("INFO", "persistence")).includes(status),
    );
  };
  return {
    url,
    pid: child.pid,
    redis,
    command,
    setClock,
    fillDisk: async () => {
      const gone = path.join(folder, "gone");
      mkdirSync(gone);
      await command("CONFIG", "SET", "dir", gone, "save", "3600 1");
      rmdirSync(gone);
      await save("err");
    },
    emptyDisk: async () => {
      await command("CONFIG", "SET", "dir", folder);
      await save("ok");
      await command("CONFIG", "SET", "save", "");
    },
    stop: async () => {
      redis.disconnect();
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

function launch(folder: string, { socket, clock }: { socket: string; clock: string }) {
  const options = {
    port: "0",
    unixsocket: socket,
    dir: folder,
    save: "",
    "maxmemory-policy": "noeviction",
    hz: "500",
    "enable-protected-configs": "yes",
  };
  const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  return Bun.spawn([findRedis(folder, () => undefined), ...flags], {
    cwd: folder,
    env: {
      PATH: "/usr/bin:/bin",
      // Debian's Redis takes its memory from jemalloc, which asks for the time before libfaketime can answer.
      LD_PRELOAD: `${clockLibrary()}:libc.so.6`,
      FAKETIME_TIMESTAMP_FILE: clock,
      FAKETIME_NO_CACHE: "1",
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
    },
    stdout: "ignore",
    stderr: "ignore",
  });
}

function clockLibrary(): string {
  const find = () =>
    [...new Bun.Glob(CLOCK_LIBRARY).scanSync({ cwd: "/usr/lib", absolute: true })][0] ?? null;
  return findOrInstall({ name: "libfaketime", packages: { "apt-get": "libfaketime" }, find });
}
