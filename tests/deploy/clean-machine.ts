import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { startWatchdog } from "#db/embedded/server.ts";
import { requireProgram } from "#tests/engines/require-program.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { childrenOf } from "#tests/support/product-process.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { makeDebian, type Ran, type Release, run } from "./debootstrap.ts";

// New servers for proofs: a Debian or Ubuntu from its packages (debootstrap), started with its own systemd in a container
// (systemd-nspawn), in a network of its own that reaches what this machine reaches (pasta). Needs root.

const TOP = path.join(import.meta.dir, "../..");
const BOOTS_WITHIN_MS = 120_000;
const VARIABLES = "HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8";

/** A server that runs. It ends with the block that holds it (`await using`). */
export type Machine = AsyncDisposable & {
  /** Runs a script by bash, as root. */
  run: (script: string) => Promise<Ran>;
  write: (file: string, content: string | Uint8Array, mode?: number) => void;
};

/** Makes the root of a new server, with this program in /opt/called-it as a clone has it. @returns its folder. */
export async function makeRoot(release: Release): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), `called-it-root-${release.name}-`));
  const watchdog = startWatchdog(["/bin/sh", "-c", 'rm -rf -- "$0"', folder]);
  afterFile(() => {
    watchdog.release();
    rmSync(folder, { recursive: true, force: true });
  });
  const root = await makeDebian(folder, release, ["systemd", "systemd-sysv", "dbus", "libpam-systemd"]);
  await putProgram(root);
  return root;
}

async function putProgram(root: string): Promise<void> {
  const program = path.join(root, "opt/called-it");
  mkdirSync(program);
  const files = Bun.spawnSync([requireProgram("git"), "ls-files", "-co", "--exclude-standard", "-z"], {
    cwd: TOP,
  });
  const list = files.stdout
    .toString()
    .split("\0")
    .filter((file) => file !== "" && existsSync(path.join(TOP, file)));
  for (const file of list) cpSync(path.join(TOP, file), path.join(program, file), { recursive: true });
  await putBun(root);
}

/**
 * The release of Bun that the set-up fetches: what runs here, in an archive like the published one. Where it comes from may be out of
 * reach, so a `curl` of the test answers for that address alone.
 */
async function putBun(root: string): Promise<void> {
  const [folder, name] = [path.join(root, "root/release"), "bun-linux-x64"];
  mkdirSync(path.join(folder, name), { recursive: true });
  cpSync(process.execPath, path.join(folder, name, "bun"), { dereference: true });
  const zip = `cd ${folder} && ${requireProgram("zip")} -q -1 -r ${name}.zip ${name} && rm -r ${name}`;
  const packed = await run(["/bin/sh", "-c", `${zip} && sha256sum ${name}.zip > SHASUMS256.txt`]);
  if (packed.code !== 0) throw new Error(packed.output);
  const file = path.join(root, "usr/local/bin/curl");
  writeFileSync(file, CURL);
  chmodSync(file, 0o755);
}

const CURL = `#!/bin/bash
folder=. fetched=
while read -r word; do
  case $previous in --output-dir) folder=$word ;; esac
  case $word in https://github.com/oven-sh/bun/releases/*) cp "/root/release/\${word##*/}" "$folder/" && fetched=yes ;; esac
  previous=$word
done < <(printf '%s\\n' "$@")
[[ $fetched ]] || exec /usr/bin/curl "$@"
`;

/** Ports that a server and this machine share, at their loopback addresses. */
type Shared = {
  /** Ports of the server, and at which of this machine they are reached. */
  into?: readonly { port: number; at: number }[];
  /** Ports of this machine that the server reaches. */
  out?: readonly number[];
};

/** The words of pasta that share these ports, or none. */
const shareAs = (option: "-t" | "-T", ...ports: readonly string[]) =>
  (ports.length === 0 ? ["none"] : ports).flatMap((port) => [option, port]);

/** Starts a server from a copy of a root, which is in the folder of that one and removed with it. It ends with the test's file at the latest. */
export async function startMachine(base: string, { into = [], out = [] }: Shared = {}): Promise<Machine> {
  const root = mkdtempSync(`${base}-`);
  // debootstrap may have left /proc there.
  await run(["cp", "--archive", "--one-file-system", `${base}/.`, root]);
  cpSync("/etc/resolv.conf", path.join(root, "etc/resolv.conf"), { dereference: true, force: true });
  const network = `called-it-${path.basename(root).slice(-6)}`;
  const ip = requireProgram("ip", "iproute2");
  await run([ip, "netns", "add", network]);
  const quiet = { stdin: "ignore", stdout: "ignore", stderr: "ignore" } as const;
  // No other port of this machine is there, and none of it is here.
  const apart = "--config-net --runas 0 --netns-only --foreground -u none -U none".split(" ");
  const shared = [
    ...shareAs("-t", ...into.map(({ port, at }) => `127.0.0.1/${at}:${port}`)),
    ...shareAs("-T", ...out.map(String)),
  ];
  const way = [requireProgram("pasta", "passt"), ...apart, ...shared];
  const pasta = Bun.spawn([...way, "--netns", `/run/netns/${network}`], quiet);
  const booted = [
    requireProgram("systemd-nspawn", "systemd-container"),
    "--quiet",
    "--boot",
    "--register=no",
    "--keep-unit",
  ];
  const places = [
    `--directory=${root}`,
    "--resolv-conf=off",
    `--network-namespace-path=/run/netns/${network}`,
  ];
  const container = Bun.spawn([...booted, ...places], {
    ...quiet,
    env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", SYSTEMD_NSPAWN_UNIFIED_HIERARCHY: "1" },
  });
  const children = `$(cat /proc/${container.pid}/task/${container.pid}/children)`;
  const end = `kill -9 ${children} ${container.pid} ${pasta.pid}; ${ip} netns delete ${network}`;
  const watchdog = startWatchdog(["/bin/sh", "-c", end]);
  const stop = async () => {
    if (container.exitCode !== null || container.signalCode !== null) return;
    await run(["/bin/sh", "-c", end]);
    await container.exited;
    watchdog.release();
  };
  afterFile(stop);
  const nsenter = requireProgram("nsenter", "util-linux");
  const machine: Machine = {
    run: (text) => {
      const [leader] = childrenOf(container.pid);
      const inside = [nsenter, "--target", String(leader), "--all", "env", "-i", ...VARIABLES.split(" ")];
      return run([...inside, "/bin/bash", "-c", `cd /root\n${text}`]);
    },
    write: (file, content, mode = 0o644) => writeFileSync(path.join(root, file), content, { mode }),
    [Symbol.asyncDispose]: stop,
  };
  await waitFor(
    "systemd",
    async () => /running|degraded/.test((await machine.run("systemctl is-system-running")).output),
    { withinMs: BOOTS_WITHIN_MS },
  );
  return machine;
}

/** Files with owner, mode, size and time; units with the moment they became active; roles, tables and rows. */
export const LISTING = String.raw`
find /etc /usr/local /opt/called-it /var/backups -printf '%M %u:%g %s %T@ %p\n' 2> /dev/null | sort -k5
# The doctor tries to write in its folders.
find /var/lib/called-it -type f -printf '%M %u:%g %s %T@ %p\n' 2> /dev/null | sort -k5
systemctl list-unit-files --state=enabled --no-legend --no-pager
for unit in called-it-web@1 called-it-web@2 called-it-worker called-it-backup.timer postgresql redis-server nginx; do
  systemctl show --property=Id,ActiveState,ActiveEnterTimestampMonotonic,MainPID "$unit" 2> /dev/null
done
if id postgres > /dev/null 2>&1; then
  runuser -u postgres -- pg_dumpall --globals-only | grep -v restrict
  runuser -u postgres -- pg_dump --schema-only called_it 2> /dev/null | grep -v restrict | sha256sum
  runuser -u postgres -- psql -At called_it -c "SELECT (SELECT count(*) FROM users), (SELECT count(*) FROM journal)" 2> /dev/null
fi
true`;
