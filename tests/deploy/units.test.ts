import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const FOLDER = path.join(import.meta.dir, "../../deploy/systemd");
type Unit = { name: string; of: (key: string) => string[] };

/** The values of each key in the section [Service], in their order. */
function readUnit(name: string): Unit {
  const text = readFileSync(path.join(FOLDER, name), "utf8");
  const [, service = ""] = /^\[Service\]\n([\s\S]*?)(?=^\[|$(?![\s\S]))/m.exec(text) ?? [];
  const pairs = service.split("\n").flatMap((line) => {
    const [, key = "", value = ""] = /^(\w+)=(.*)$/.exec(line) ?? [];
    return key === "" ? [] : [[key, value] as const];
  });
  return { name, of: (key) => pairs.flatMap(([each, value]) => (each === key ? [value] : [])) };
}

const units = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".service"))
  .map(readUnit);
const unit = (part: string) => units.find(({ name }) => name.includes(part)) ?? readUnit("none");

const confined: Record<string, string> = {
  NoNewPrivileges: "yes",
  CapabilityBoundingSet: "",
  AmbientCapabilities: "",
  ProtectSystem: "strict",
  ProtectHome: "yes",
  PrivateTmp: "yes",
  PrivateDevices: "yes",
  PrivateMounts: "yes",
  ProtectKernelTunables: "yes",
  ProtectKernelModules: "yes",
  ProtectKernelLogs: "yes",
  ProtectControlGroups: "yes",
  ProtectClock: "yes",
  ProtectHostname: "yes",
  ProtectProc: "invisible",
  RestrictAddressFamilies: "AF_INET AF_INET6 AF_UNIX",
  RestrictNamespaces: "yes",
  RestrictSUIDSGID: "yes",
  SystemCallArchitectures: "native",
  SystemCallFilter: "@system-service",
  LockPersonality: "yes",
  UMask: "0077",
  LimitCORE: "0",
};
/** A backup reads what is others', and does nothing else as root. */
const ownRights: Record<string, string> = { "called-it-backup.service": "CAP_DAC_READ_SEARCH" };

test("every unit runs in production, confined, and within bounds of memory and processes", () => {
  expect(units).toHaveLength(4);
  for (const { name, of } of units) {
    const rights = { ...confined, CapabilityBoundingSet: ownRights[name] ?? "" };
    for (const [key, value] of Object.entries(rights))
      expect([name, key, of(key)]).toEqual([name, key, [value]]);
    expect([name, of("Environment").includes("NODE_ENV=production")]).toEqual([name, true]);
    for (const key of ["MemoryMax", "TasksMax"]) expect([name, key, of(key).length]).toEqual([name, key, 1]);
  }
});

test("systemd ends a process that serves and gives no sign of life for 10 s, also a stopped one", () => {
  for (const part of ["web@", "worker"]) {
    const { of } = unit(part);
    const watched = ["Type", "NotifyAccess", "WatchdogSec", "WatchdogSignal", "Restart"];
    expect(watched.flatMap(of)).toEqual(["notify", "all", "10", "SIGKILL", "always"]);
  }
});

test("the migration has a user of its own, no folder of the data, and no secret but the owner's", () => {
  const { of } = unit("migrate");
  expect([of("DynamicUser"), of("User"), of("StateDirectory")]).toEqual([["yes"], [], []]);
  expect(of("EnvironmentFile")).toEqual(["/etc/called-it-owner.env"]);
});

test("a backup has the owner's password, and no user whose other processes could read it", () => {
  const { of } = unit("backup");
  expect([of("User"), of("StateDirectory")]).toEqual([[], []]);
  expect(of("EnvironmentFile")).toEqual(["/etc/called-it.env", "/etc/called-it-owner.env"]);
  expect(of("ReadWritePaths")).toEqual(["/var/backups/called-it"]);
  // Operators are told of one that fails or does not come: it names no file.
  expect(of("Environment")).toContain("BACKUP_TO=/var/backups/called-it");
  expect(of("ExecStart")).toEqual([
    expect.stringContaining("backup.ts --uploads $${BACKUP_PASSPHRASE:+--secrets}'"),
  ]);
});

test("the processes that serve do not get the owner's password, and only the worker that of the mail server", () => {
  for (const part of ["web@", "worker"]) {
    const { of } = unit(part);
    expect([of("User"), of("DynamicUser")]).toEqual([["called-it"], []]);
    expect(of("EnvironmentFile")).toEqual(["/etc/called-it.env"]);
    expect([of("StateDirectory"), of("StateDirectoryMode")]).toEqual([["called-it"], ["0700"]]);
  }
  expect(unit("web@").of("UnsetEnvironment")).toEqual(["SMTP_URL BACKUP_PASSPHRASE BACKUP_TO"]);
  expect(unit("worker").of("UnsetEnvironment")).toEqual(["BACKUP_PASSPHRASE BACKUP_TO"]);
});
