import { existsSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import path from "node:path";
import type { DataFolder } from "./data-folder.ts";
import { findProgram } from "./find-program.ts";
import { commandOf, endProcess, readPid } from "./processes.ts";
import { findOrInstall, type Program } from "./programs.ts";
import { launch, type Server } from "./server.ts";

// Decision: Redis writes no file. What it holds is set again from the database, and a file that it refuses, which a full disk can leave,
// would keep it from starting for ever. So a restart of it resumes paused queues, and loses push messages that wait.

/** Where an earlier release has let Redis keep its data: messages of players are not left there. */
const FORMER_FILES = "appendonlydir";
const STOP_LEFTOVER_MS = 5_000;
const ANSWER_WITHIN_MS = 500;

export type RedisOptions = {
  /** True: jobs come within 2 ms of their time, and not 10. It costs a hundredth of a core, which tests, with their many servers, save. */
  prompt: boolean;
  /** Called with a line before a long step, such as an installation. */
  print: (line: string) => void;
};

/**
 * Starts the Redis of this data folder on a unix socket. First stops one that a killed process has left running.
 * @throws with what to install if there is no Redis.
 */
export async function startRedis(
  dataFolder: DataFolder,
  { prompt, print: say }: RedisOptions,
): Promise<Server> {
  const folder = path.join(dataFolder.dataDir, "redis");
  const socket = dataFolder.redisUrl.slice("unix:".length);
  const pidFile = path.join(folder, "redis.pid");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  mkdirSync(dataFolder.socketFolder, { recursive: true, mode: 0o700 });
  await endLeftover(pidFile, socket);
  rmSync(path.join(folder, FORMER_FILES), { recursive: true, force: true });
  return launch({
    name: "Redis",
    command: [findRedis(dataFolder.dataDir, say), ...flags({ folder, socket, pidFile, prompt })],
    cwd: folder,
    env: { PATH: "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" },
    logFile: path.join(dataFolder.dataDir, "redis.log"),
    stopSignal: "SIGTERM",
    isReady: () => answersPing(socket),
  });
}

type Files = { folder: string; socket: string; pidFile: string };

function flags({ folder, socket, pidFile, prompt }: Files & { prompt: boolean }): string[] {
  const options = {
    port: "0",
    unixsocket: socket,
    unixsocketperm: "700",
    dir: folder,
    pidfile: pidFile,
    appendonly: "no",
    save: "",
    "maxmemory-policy": "noeviction",
    // How often per second Redis checks for timed jobs. At the default of 10 they are 50 ms late.
    hz: prompt ? "500" : "100",
  };
  return Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
}

async function endLeftover(pidFile: string, socket: string): Promise<void> {
  const pid = readPid(pidFile);
  if (pid === null || !listensAt(commandOf(pid) ?? "", socket)) return;
  if (await endProcess(pid, ["SIGTERM", "SIGKILL"], STOP_LEFTOVER_MS)) return;
  throw new Error(`A Redis from an earlier start does not stop (process ${pid}). Stop it and start again.`);
}

/** A copied pid file names the Redis of another folder. Redis replaces its command by "redis-server unixsocket:/folder/run/redis.sock". */
function listensAt(command: string, socket: string): boolean {
  return command.endsWith(` unixsocket:${socket}`) || command.includes(` --unixsocket ${socket} `);
}

/** True once Redis answers PING. While it loads its file it answers with an error. */
async function answersPing(socket: string): Promise<boolean> {
  const answer = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => answer.resolve(false), ANSWER_WITHIN_MS);
  try {
    const connection = await Bun.connect({
      unix: socket,
      socket: {
        open: (client) => void client.write("PING\r\n"),
        data: (_client, bytes) => answer.resolve(bytes.toString().startsWith("+PONG")),
        close: () => answer.resolve(false),
        error: () => answer.resolve(false),
      },
    });
    const ready = await answer.promise;
    connection.end();
    return ready;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}

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
