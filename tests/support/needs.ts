import { freemem, tmpdir } from "node:os";
import { findProgram } from "#db/embedded/find-program.ts";
import { canInstallDebian, describeMissing, findOrInstall, type Program } from "#db/embedded/programs.ts";
import { redisProgram } from "#db/embedded/redis.ts";
import { chromiumProgram, shellProgram } from "./chromium.ts";
import { freeBytes, MEMORY_BYTES } from "./files-folder.ts";

const GIB = 2 ** 30;
const DISK_BYTES = 3 * GIB;

const tools: Program[] = ["curl", "git"].map((name) => ({
  name,
  packages: { "apt-get": name },
  find: () => findProgram(name),
}));

/**
 * Looks for everything that the tests need beside their packages, and prints a line for each: found, installed now, or missing. As
 * root on Debian and Ubuntu it installs what is missing.
 * @param journeys true if they run too.
 * @returns what stops the run, with its cure; null if nothing does.
 */
export function findNeeds({
  journeys,
  print,
}: {
  journeys: boolean;
  print: (line: string) => void;
}): string | null {
  const onDebian = findProgram("apt-get") !== null;
  // Only Debian and Ubuntu have a package of the headless shell.
  const browsers = journeys ? [chromiumProgram, ...(onDebian ? [shellProgram] : [])] : [];
  const missing = [redisProgram, ...tools, ...browsers].filter((program) => !isThere(program, print));
  const faults = [
    ...(missing.length === 0 ? [] : [describeMissing(missing)]),
    ...checkRoom(print),
    ...checkPorts(print),
  ];
  return faults.length === 0 ? null : faults.join("\n");
}

function isThere(program: Program, print: (line: string) => void): boolean {
  const say = (text: string) => print(`  ${program.name.padEnd(26)} ${text}`);
  const found = program.find();
  if (found !== null) say(`found: ${found}`);
  else if (!canInstallDebian()) say("missing");
  else {
    try {
      say(`installed now: ${findOrInstall(program)}`);
    } catch (error) {
      say(`not installed: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return program.find() !== null;
}

/** Room on disk for what the tests write, and in memory: with less they are slow, and may fail. */
function checkRoom(print: (line: string) => void): string[] {
  const disk = freeBytes(tmpdir());
  const memory = freemem();
  print(`  ${"disk".padEnd(26)} ${inGib(disk)} free in ${tmpdir()}`);
  print(
    `  ${"memory".padEnd(26)} ${inGib(memory)} free${memory < MEMORY_BYTES ? `; with less than ${inGib(MEMORY_BYTES)} the tests are slow and may fail: close other programs` : ""}`,
  );
  return disk < DISK_BYTES
    ? [`Make room in ${tmpdir()}, or set TMPDIR to a folder that has ${inGib(DISK_BYTES)} free.`]
    : [];
}

/** The tests' servers listen on ports of this machine that are free at the time. */
function checkPorts(print: (line: string) => void): string[] {
  try {
    const listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => undefined } });
    print(`  ${"ports".padEnd(26)} 127.0.0.1 gives free ones, such as ${listener.port}`);
    listener.stop();
    return [];
  } catch {
    print(`  ${"ports".padEnd(26)} missing`);
    return ["No program may listen on 127.0.0.1 here. Switch the loopback on: ip link set lo up"];
  }
}

const inGib = (bytes: number) => `${(bytes / GIB).toFixed(1)} GiB`;
