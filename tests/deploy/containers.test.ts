import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import path from "node:path";
import { readCompose } from "./read-compose.ts";

const { services, networks } = readCompose();
const entries = Object.entries(services);
const names = (wanted: (name: string) => boolean) => Object.keys(services).filter(wanted);

test("no container is root, has a capability, gets more rights, or writes to its own files", () => {
  for (const [name, service] of entries) {
    const { user = "root", cap_drop: dropped, cap_add: added, read_only: readOnly, privileged } = service;
    expect([name, /^(root|0(:.*)?)$/.test(user)]).toEqual([name, false]);
    expect([name, dropped, added, readOnly, privileged]).toEqual([name, ["ALL"], [], true, undefined]);
    expect([name, service.security_opt]).toEqual([name, ["no-new-privileges:true"]]);
  }
});

test("every container has bounds: memory, processes, logs, and each folder in memory", () => {
  for (const [name, { mem_limit: memory, pids_limit: pids = 0, logging, tmpfs }] of entries) {
    expect([name, memory]).toEqual([name, expect.stringMatching(/^\d+[mg]$/)]);
    expect([name, pids > 0 && pids <= 512]).toEqual([name, true]);
    expect(Object.keys(logging?.options ?? {})).toEqual(["max-size", "max-file"]);
    expect([name, tmpfs.filter((each) => !/[:,]size=\d+m/.test(each))]).toEqual([name, []]);
  }
});

test("Postgres and Redis are in networks of their own, without a way out, and the proxy is in neither", () => {
  const inNetwork = (network: string) => names((name) => network in (services[name]?.networks ?? {}));
  expect(networks).toMatchObject({ database: { internal: true }, redis: { internal: true } });
  expect(inNetwork("database")).toEqual(["web-1", "web-2", "worker", "migrate", "owner", "postgres"]);
  expect(inNetwork("redis")).toEqual(["web-1", "web-2", "worker", "owner", "redis"]);
  expect(inNetwork("default")).toEqual(["proxy", "web-1", "web-2", "worker", "owner"]);
  expect(names((name) => (services[name]?.ports.length ?? 0) > 0)).toEqual(["proxy"]);
  expect(names((name) => services[name]?.volumes.some((each) => each.startsWith("data:")) === true)).toEqual([
    "web-1",
    "web-2",
    "worker",
    "owner",
  ]);
  expect(JSON.stringify(services)).not.toContain("docker.sock");
});

test("every image is demanded by a digest that deploy/pin-images.sh has written", () => {
  const script = readFileSync(path.join(import.meta.dir, "../../deploy/pin-images.sh"), "utf8");
  const pinned = [...script.matchAll(/^([A-Z]+_IMAGE) docker\.io\/\S+:\S+$/gm)].map(([, name = ""]) => name);
  const demanded = new Set<string>();
  for (const [name, { image, build }] of entries) {
    const named = build === undefined ? image : build.args["BUN_IMAGE"];
    const [, variable = ""] = /^\$\{(\w+_IMAGE):\?sh deploy\/pin-images\.sh\}$/.exec(named ?? "") ?? [];
    expect([name, pinned.includes(variable)]).toEqual([name, true]);
    demanded.add(variable);
  }
  expect([...demanded].sort()).toEqual([...pinned].sort());
  const dockerfile = readFileSync(path.join(import.meta.dir, "../../Dockerfile"), "utf8");
  expect([...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, from]) => from)).toEqual([
    "${BUN_IMAGE}",
    "packages",
    "${BUN_IMAGE}",
  ]);
  expect(script).toContain(`\nBUN_IMAGE ${/^ARG BUN_IMAGE=(\S+)$/m.exec(dockerfile)?.[1]}\n`);
});
