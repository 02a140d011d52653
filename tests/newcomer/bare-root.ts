import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { makeDebian, type Ran, type Release, run } from "#tests/deploy/debootstrap.ts";
import { requireProgram } from "#tests/engines/require-program.ts";

// A newcomer's machine: a Debian or Ubuntu with nothing but Node and git, and a clone of what is committed here. It is a folder, in which
// commands run apart from the programs, the settings and the files of this machine, on its network. Needs root.

const TOP = path.join(import.meta.dir, "../..");
const SYSTEM_VARIABLES = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" };
/** Where the clone is. */
const CLONE = "/home/newcomer/called-it";
/** A user without rights. */
export const USER = "newcomer";
/** What npm and Bun trust, where this machine has an authority of its own. */
const AUTHORITIES = "/etc/ssl/certs/ca-certificates.crt";
/** systemd-nspawn says this of a folder of its own when it ends. */
const NOISE = "Attempted to remove disk file system";

/** Makes such a machine in a folder. @returns its root. */
export async function makeBareRoot(folder: string, release: Release): Promise<string> {
  mkdirSync(folder);
  const root = await makeDebian(folder, release, ["ca-certificates", "git"]);
  const install = "apt-get install -y -q --no-install-recommends nodejs npm";
  const made = await inRoot(
    root,
    `update-ca-certificates && apt-get update -q && ${install} && useradd --create-home ${USER}`,
    { folder: "/" },
  );
  if (made.code !== 0) throw new Error(made.output.slice(-2_000));
  // Each installed system has this file.
  writeFileSync(path.join(root, "etc/hosts"), "127.0.0.1 localhost\n::1 localhost ip6-localhost\n");
  const home = path.join(root, "home", USER);
  const cloned = await run([requireProgram("git"), "clone", "--quiet", TOP, path.join(home, "called-it")]);
  if (cloned.code !== 0) throw new Error(cloned.output);
  return root;
}

/** A copy of a machine, in which the user owns the clone. */
export async function copyRoot(root: string, to: string): Promise<string> {
  await run(["cp", "--archive", root, to]);
  await inRoot(to, `chown -R ${USER}: .`);
  return to;
}

type InRootOptions = {
  /** Who runs it: root, or the user without rights. */
  user?: "root" | typeof USER;
  /** Where. */
  folder?: string;
  /** Gets each line that is printed. */
  onLine?: (line: string) => void;
};

/** Runs a script of bash on such a machine, in the clone. What it has started ends with it. */
export async function inRoot(
  root: string,
  script: string,
  { user = "root", folder = CLONE, onLine }: InRootOptions = {},
): Promise<Ran> {
  cpSync("/etc/resolv.conf", path.join(root, "etc/resolv.conf"), { dereference: true, force: true });
  const options = [
    "--quiet",
    "--pipe",
    "--register=no",
    "--keep-unit",
    "--resolv-conf=off",
    `--directory=${root}`,
    `--user=${user}`,
    `--chdir=${folder}`,
    // As large as on a machine, and /tmp on its disk.
    "--tmpfs=/dev/shm:mode=1777,size=50%",
    `--setenv=NODE_EXTRA_CA_CERTS=${AUTHORITIES}`,
  ];
  const container = spawn(
    requireProgram("systemd-nspawn", "systemd-container"),
    [...options, "/bin/bash", "-c", `exec 2>&1\nunset NOTIFY_SOCKET\n${script}`],
    { env: { ...SYSTEM_VARIABLES, SYSTEMD_NSPAWN_TMPFS_TMP: "0" }, stdio: ["ignore", "pipe", "pipe"] },
  );
  const ended = once(container, "close");
  const lines: string[] = [];
  const read = async (input: NodeJS.ReadableStream) => {
    for await (const line of createInterface({ input })) {
      if (line.startsWith(NOISE)) continue;
      lines.push(line);
      onLine?.(line);
    }
  };
  await Promise.all([read(container.stdout), read(container.stderr), ended]);
  return { code: container.exitCode ?? 1, output: lines.join("\n") };
}
