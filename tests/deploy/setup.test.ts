import { expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ownVariables } from "#src/settings/env.ts";
import { afterTest } from "#tests/support/after-file.ts";

// Parts of deploy/setup.sh and deploy/called-it without a machine. setup.proof.ts runs all of it on machines.
const TOP = path.join(import.meta.dir, "../..");
const own = ownVariables();
const SECRET = "secret-of-redis";

function makeFolder() {
  const folder = mkdtempSync(path.join(tmpdir(), "setup-"));
  afterTest(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Runs a script with the functions of setup.sh, in a folder; `programs` stand before those of the machine. */
function run(folder: string, script: string, programs: Record<string, string> = {}) {
  for (const [name, body] of Object.entries(programs)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, `#!/bin/bash\n${body}\n`);
    chmodSync(file, 0o755);
  }
  const { exitCode, stdout, stderr } = Bun.spawnSync(
    ["bash", "-c", `source ${TOP}/deploy/setup.sh; WRITTEN=$PWD/written; ${script}`],
    { cwd: folder, env: { ...own, PATH: `${folder}:${own["PATH"]}` } },
  );
  return { code: exitCode, output: `${stdout.toString()}${stderr.toString()}` };
}

/** What a release ships as a file of the machine. */
function shippedFile() {
  const folder = makeFolder();
  const file = path.join(folder, "redis.conf");
  return {
    read: () => readFileSync(file, "utf8"),
    change: (from: string, to: string) => writeFileSync(file, readFileSync(file, "utf8").replace(from, to)),
    remove: () => rmSync(file),
    forgetWritten: () => rmSync(path.join(folder, "written"), { recursive: true }),
    former: () => (existsSync(`${file}.before`) ? readFileSync(`${file}.before`, "utf8") : null),
    /** Applies twice: the second time nothing is written. */
    apply: (text: string) => {
      writeFileSync(path.join(folder, "shipped"), text);
      const put = `put 600 "$(id -gn)" ${file} < shipped`;
      const first = run(folder, put);
      const after = readFileSync(file, "utf8");
      const second = run(folder, put);
      expect([first.code, second.code, readFileSync(file, "utf8")]).toEqual([0, 0, after]);
      expect(second.output).not.toContain("wrote");
      return first.output;
    },
  };
}

const shipped = (maxmemory: string, { hz = "500", password = SECRET } = {}) =>
  `user called_it on >${password} ~*\n# Memory.\nmaxmemory ${maxmemory}\n# A comment.\nappendonly no\n# Another.\nhz ${hz}\n`;

test("a file that nobody has changed is what the release ships", () => {
  const file = shippedFile();
  for (const text of [shipped("768mb"), shipped("512mb", { hz: "100" })]) {
    expect(file.apply(text)).toContain("wrote");
    expect(file.read()).toBe(text);
  }
});

test("a change by hand stays, beside what a release or a rotation changes", () => {
  const file = shippedFile();
  file.apply(shipped("768mb"));
  file.change("768mb", "2gb");
  expect(file.apply(shipped("768mb"))).toContain("kept your changes of");
  expect(file.read()).toBe(shipped("2gb"));
  const rotated = { hz: "100", password: "rotated" };
  expect(file.apply(shipped("768mb", rotated))).toContain("kept your changes of");
  expect(file.read()).toBe(shipped("2gb", rotated));
});

test("where both have changed the same line the file stays, and is named with the difference but no secret", () => {
  const file = shippedFile();
  file.apply(shipped("768mb"));
  file.change("768mb", "2gb");
  const output = file.apply(shipped("512mb"));
  expect(output).toMatch(/kept .*redis\.conf as you have changed it[\s\S]*-maxmemory 2gb\n\+maxmemory 512mb/);
  expect(output).not.toContain(SECRET);
  expect(file.read()).toBe(shipped("2gb"));
  file.remove();
  file.apply(shipped("512mb"));
  expect(file.read()).toBe(shipped("512mb"));
});

test("a file of which nobody knows what was written is replaced, and a copy is kept and named", () => {
  const file = shippedFile();
  file.apply(shipped("768mb"));
  file.change("768mb", "2gb");
  file.forgetWritten();
  expect(file.apply(shipped("768mb"))).toContain("redis.conf.before");
  expect([file.read(), file.former()]).toEqual([shipped("768mb"), shipped("2gb")]);
});

test("the port of the web processes may be any of theirs, and of no other program", () => {
  const folder = makeFolder();
  const taken = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => undefined } });
  afterTest(() => taken.stop(true));
  const require = `require_port ${taken.port} "\${UNITS[@]}"; echo free`;
  const runs = (unit: string) => ({
    systemctl: `for each; do [[ $each == ${unit} ]] && exit 0; done; exit 3`,
  });
  for (const unit of ["called-it-web@1", "called-it-web@2"])
    expect([unit, run(folder, require, runs(unit))]).toEqual([unit, { code: 0, output: "free\n" }]);
  const { code, output } = run(folder, require, runs("postgresql"));
  expect([code, output]).toEqual([1, expect.stringMatching(/is taken by another program/)]);
});

/** Takes a release into use with stand-ins for what the machine has. `fails` is the command of called-it that fails. */
function takeRelease(fails: string) {
  const folder = makeFolder();
  const calls = path.join(folder, "calls");
  const { code, output } = run(
    folder,
    "write() { cat > /dev/null; echo applied >> calls; }; describe_release() { echo new; }; chmod() { :; }; /usr/local/bin/bun() { :; }; APPLIED=none; for each in prepare_program start_release; do $each; done",
    {
      "deploy/called-it": `echo "called-it $*" >> ${calls}; [[ "$*" != "${fails}" ]]`,
      systemctl: `echo "systemctl $1" >> ${calls}`,
      id: "exit 0",
    },
  );
  return { code, output, calls: readFileSync(calls, "utf8").split("\n").filter(Boolean) };
}

test("apply tries the settings before it changes or restarts anything", () => {
  const settings = takeRelease("doctor --settings");
  expect([settings.code, settings.calls]).toEqual([1, ["called-it doctor --settings"]]);
  expect(settings.output).toMatch(/Refused: the settings are wrong.*What runs goes on/);
  const start = takeRelease("doctor");
  expect([start.code, start.calls]).toEqual([
    1,
    ["called-it doctor --settings", "called-it migrate", "called-it doctor"],
  ]);
  expect(start.output).toMatch(/Refused: a start would not work.*No process was restarted/);
  const { code, calls } = takeRelease("none");
  expect([code, calls.slice(3)]).toEqual([
    0,
    ["systemctl enable", "called-it restart", "applied", "systemctl start"],
  ]);
});

test("the last words of a process that does not start are printed, and the next one is left as it is", () => {
  const folder = makeFolder();
  const programs = {
    systemctl: 'echo "$*" >> calls; exit 1',
    journalctl: '[[ $1 == --sync ]] || echo "STRIPE_WEBHOOK_SECRET is too short ($*)"',
  };
  const begin = `source <(sed -n '/^begin()/,/^}/p' ${TOP}/deploy/called-it); for each in web@1 web@2; do begin restart $each; done`;
  const { code, output } = run(folder, begin, programs);
  expect([code, readFileSync(path.join(folder, "calls"), "utf8")]).toEqual([1, "restart web@1\n"]);
  expect(output).toMatch(/web@1 did not start[\s\S]*STRIPE_WEBHOOK_SECRET is too short \(.*--unit=web@1/);
});

test("addresses of alerts are kept and applied once they have taken a test message, and else all is as it was", () => {
  const folder = makeFolder();
  const settings = path.join(folder, "called-it.env");
  const alerts = (words: string, code: number) => {
    const script = `source <(sed -n '/^alerts()/,/^}/p' ${TOP}/deploy/called-it | sed 's#/etc/##');
      as_program() { echo "$1 $(grep -c ALERTS_ called-it.env)"; return ${code}; }; apply() { echo applied; }; alerts ${words}`;
    return { ...run(folder, script), kept: readFileSync(settings, "utf8") };
  };
  writeFileSync(settings, "PUBLIC_URL=https://play.example.com\nALERTS_QUIET=01:00-02:00\nLAST=line");
  const before = readFileSync(settings, "utf8");
  const refused = alerts("https://chat.example.com/hook", 1);
  expect([refused.code, refused.kept.trim()]).toEqual([1, before]);
  expect(refused.output).toBe("alerts.ts 2\ncalled-it: called-it.env is as it was.\n");
  const kept = alerts("'you@example.com,https://chat.example.com/a&b#c' '23:00-07:00 Europe/Berlin'", 0);
  expect([kept.code, kept.output]).toEqual([0, "alerts.ts 2\napplied\n"]);
  expect(kept.kept).toBe(
    "PUBLIC_URL=https://play.example.com\nLAST=line\n" +
      "ALERTS_TO=you@example.com,https://chat.example.com/a&b#c\nALERTS_QUIET=23:00-07:00 Europe/Berlin\n",
  );
  expect(alerts("", 0)).toEqual({ code: 0, output: "alerts.ts 2\n", kept: kept.kept });
  expect(alerts("off", 0).kept).toEndWith("ALERTS_QUIET=23:00-07:00 Europe/Berlin\nALERTS_TO=\n");
});

/** Goes back in a clone of two commits with stand-ins for the migration and apply. @param applied their numbers. */
function rollBack(applied: number[], { more = "", migrates = "true" } = {}) {
  const folder = makeFolder();
  const commit = (number: number) =>
    `echo ${number} > file && git add file && git -c user.name=a -c user.email=a@example.test commit -qm ${number}`;
  const note = applied.map((number) => `git rev-parse HEAD~${2 - number} >> ../releases`);
  const clone = ["git init -q clone", "cd clone", commit(1), commit(2), ":", ...note, more || ":"].join(
    " && ",
  );
  const functions = `source <(sed -n '/^refuse()/p; /^rollback()/,/^}/p' ${TOP}/deploy/called-it)`;
  const { code, output } = run(
    folder,
    `PROGRAM=$PWD/clone RELEASES=$PWD/releases; : > releases; (${clone}); ${functions}
    migrate() { ${migrates}; }; apply() { echo applies; }; version() { echo former; }; rollback`,
  );
  const { output: left } = run(folder, "git -C clone log -1 --format=%s; wc -l < releases");
  return { code, output, left };
}

test("called-it rollback takes the release that was applied before, and is over where there is none", () => {
  const back = rollBack([1, 2]);
  expect([back.code, back.left]).toEqual([0, "1\n1\n"]);
  expect(back.output).toMatch(/^applies\nThis is former again\. Forward: git -C .* checkout \w{40}/);
  // The newest was never applied: its migration or its settings were refused.
  expect(rollBack([1])).toMatchObject({ code: 0, left: "1\n1\n" });
  const none = rollBack([2]);
  expect([none.code, none.left]).toEqual([1, "2\n1\n"]);
  expect(none.output).toContain("no release was applied before this one");
});

test("called-it rollback is refused, and changes nothing, if the database is too new or files were changed by hand", () => {
  const newer = rollBack([1, 2], { migrates: "echo newer release; exit 1" });
  expect([newer.code, newer.left]).toEqual([1, "2\n2\n"]);
  expect(newer.output).toMatch(
    /^newer release\ncalled-it: the release before cannot work with this database/,
  );
  const changed = rollBack([1, 2], { more: "echo 3 > file" });
  expect([changed.code, changed.left]).toEqual([1, "2\n2\n"]);
  expect(changed.output).toMatch(/^called-it: files in \S+ were changed by hand/);
});
