import { expect, test } from "bun:test";
import { LISTING, type Machine, makeRoot, startMachine } from "#tests/deploy/clean-machine.ts";
import type { Ran } from "#tests/deploy/debootstrap.ts";
import { blocksRunBy } from "#tests/deploy/read-blocks.ts";
import { figure } from "#tests/prove/figure.ts";
import { waitFor } from "#tests/support/wait-for.ts";

// deploy/setup.sh and the commands of the documents, on new servers of each system that they name. As root.
const ME = "tests/proofs/deploy/setup.proof.ts";
const MACHINES = "deploy/machines.md";
const WITHIN_MS = 1_800_000;
const MS_PER_SECOND = 1_000;
const READY_WITHIN_MS = 30_000;
const SETUP = "/opt/called-it/deploy/setup.sh";
const NAME = "play.example.com";

/** Runs a script that must succeed. @returns what it has printed. */
async function must(machine: Machine, script: string): Promise<string> {
  const { code, output } = await machine.run(script);
  if (code !== 0) throw new Error(`${script}\nended with ${code}:\n${output}`);
  return output;
}

/** Runs the blocks of a document as one script, in their order: each goes on where the one before has ended. */
const runBlocks = (machine: Machine, document: string, heading: string) =>
  must(machine, ["set -e", ...blocksRunBy(ME, document, heading)].join("\n"));

const listing = (machine: Machine) => must(machine, LISTING);
const without = (text: string, pattern: RegExp) => text.split("\n").filter((line) => !pattern.test(line));
const secrets =
  "sed -nE 's#^(SECRET_KEY=|[A-Z_]*URL=[a-z]+://[a-z_]+:)([^@]+)(@.*)?$#\\2#p' /etc/called-it.env /etc/called-it-owner.env";

const scriptOf = () => blocksRunBy(ME, MACHINES, "By one script")[0] ?? "";

/** The set-up as the document has it. */
async function setUp(machine: Machine): Promise<Ran> {
  const startedAtMs = performance.now();
  const ran = { code: 0, output: await must(machine, scriptOf()) };
  const seconds = Math.round((performance.now() - startedAtMs) / MS_PER_SECOND);
  const version = (await must(machine, "psql --version")).trim();
  figure(`set up in ${seconds} s with ${version.replace("(PostgreSQL) ", "")}`);
  process.stdout.write(`set-up:\n${ran.output}\n`);
  return ran;
}

/** The set-up again: it leaves everything as it was. */
async function setUpAgain(machine: Machine): Promise<Ran> {
  const before = await listing(machine);
  const second = { code: 0, output: await must(machine, scriptOf()) };
  expect((await listing(machine)).split("\n")).toEqual(before.split("\n"));
  expect(second.output).not.toMatch(/wrote|installing|creating|making/);
  for (const each of [/answers at 127\.0\.0\.1/, /answers at \[::1\]/, /^Ready/m])
    expect(second.output).toMatch(each);
  figure("the second run changed nothing");
  process.stdout.write(`second run:\n${second.output}\n`);
  return second;
}

/** From the first admin's link to a show that has paid a guest. @returns the cookie of the admin's sign-in. */
async function playFirstShow(machine: Machine): Promise<string> {
  await must(machine, `echo "127.0.0.1 ${NAME} live.example.com" >> /etc/hosts`);
  const made = await must(machine, blocksRunBy(ME, MACHINES, "After the set-up")[0] ?? "");
  const link = /https:\S+/.exec(made)?.[0] ?? "";
  const show = await must(
    machine,
    `NODE_TLS_REJECT_UNAUTHORIZED=0 bun /opt/called-it/tests/deploy/first-show.ts https://${NAME} '${link}'`,
  );
  const [running = ""] = /the show is running after \d+ steps/.exec(show) ?? [];
  const [paid = ""] = /a guest's call is resolved after \d+ steps/.exec(show) ?? [];
  expect([running, paid]).toEqual([expect.stringMatching(/\d/), expect.stringMatching(/\d/)]);
  figure(`from the first admin's link: ${running}, ${paid}`);
  expect(await must(machine, "called-it reconcile")).toContain("The books and the scores agree.");
  return /^cookie (.*)$/m.exec(show)?.[1] ?? "";
}

/** The status that a browser with this cookie gets for its own account. */
const statusOf = (machine: Machine, cookie: string, name = NAME) =>
  must(
    machine,
    `curl -s --insecure -o /dev/null -w '%{http_code}' -H 'accept: application/json' -H 'cookie: ${cookie}' https://${name}/api/v1/users/me`,
  );

/** All roots are made at once: a download waits for another machine most of its time. */
const roots = Object.fromEntries(
  [{ name: "bookworm" }, { name: "trixie" }, { name: "noble", like: "gutsy" }].map((release) => {
    const root = makeRoot(release);
    root.catch(() => undefined);
    return [release.name, root];
  }),
);
const rootOf = async (name: string) => (await roots[name]) ?? "";

test(
  "trixie: one script and the commands by hand lead to the same machine",
  async () => {
    const base = await rootOf("trixie");
    const [machine, byHand] = [await startMachine(base), await startMachine(base)];
    await Promise.all([setUp(machine), runBlocks(byHand, MACHINES, "By hand")]);
    const places = String.raw`find /etc/called-it* /etc/nginx /etc/redis /etc/systemd /etc/sysctl.d /usr/local /var/lib/called-it /var/backups /opt/called-it -not -path '*/dist/*' -not -path '*/.bun/*' -not -path '*/storage/*' -printf '%M %u:%g %p\n' | sort -k3; systemctl list-unit-files --state=enabled --no-legend --no-pager; grep -v '^user\|^#' /etc/redis/called-it.conf /etc/nginx/conf.d/*; runuser -u postgres -- psql -Atc "SELECT rolname, rolcreatedb, rolconfig FROM pg_roles UNION ALL SELECT datname, false, NULL FROM pg_database ORDER BY 1"`;
    const [one, other] = await Promise.all([must(machine, places), must(byHand, places)]);
    expect(without(other, /^$/)).toEqual(without(one, /^$|called-it\.(applied|written.*)$/));
  },
  WITHIN_MS,
);

test(
  "noble: one script leads to https, and the first admin runs a show",
  async () => {
    const machine = await startMachine(await rootOf("noble"));
    await setUp(machine);
    await playFirstShow(machine);
  },
  WITHIN_MS,
);

test(
  "bookworm: refusals and a second run change nothing, secrets are in no log, and each rotation ends what it says and nothing else",
  async () => {
    const machine = await startMachine(await rootOf("bookworm"));
    await refuses(machine);
    // A clone that was made with a closed umask.
    await must(machine, "chmod -R go-rwx /opt/called-it");
    const runs = [await setUp(machine), await setUpAgain(machine)];
    const logs = await must(
      machine,
      "journalctl --no-pager --output=cat; cat /var/log/postgresql/* /var/log/redis/*",
    );
    for (const secret of (await must(machine, secrets)).split("\n").filter((line) => line !== "")) {
      expect(runs.some(({ output }) => output.includes(secret)) || logs.includes(secret)).toBe(false);
    }
    const modes = await must(
      machine,
      "stat -c '%a %U' /etc/called-it*.env /etc/called-it.applied /etc/nginx/certificates/*",
    );
    expect(new Set(modes.trim().split("\n"))).toEqual(new Set(["600 root"]));
    const cookie = await playFirstShow(machine);
    expect(await statusOf(machine, cookie)).toBe("200");
    await refusesOtherServers(machine);
    await backUpAndRestore(machine, cookie);
    await rotate(machine, cookie);
  },
  WITHIN_MS,
);

async function refuses(machine: Machine): Promise<void> {
  const before = await listing(machine);
  const attempts = [
    [SETUP, /give the name that people open/],
    [`${SETUP} play`, /give the name that people open/],
    [
      `cp -r /opt/called-it/deploy /tmp && /tmp/deploy/setup.sh ${NAME}; code=$?; rm -r /tmp/deploy; exit $code`,
      /in \/opt\/called-it/,
    ],
    [`setpriv --reuid=65534 --clear-groups ${SETUP} ${NAME}`, /run it as root/],
    [
      `printf 'ID=debian\\nVERSION_ID=11\\n' > /tmp/other; mount --bind /tmp/other /usr/lib/os-release; ${SETUP} ${NAME}; code=$?; umount /usr/lib/os-release; exit $code`,
      /this is debian 11/,
    ],
    [
      `/root/release/listen & taken=$!; sleep 2; ${SETUP} ${NAME}; code=$?; kill $taken; exit $code`,
      /port 443 is taken by another program/,
    ],
  ] as const;
  machine.write(
    "root/release/listen",
    "#!/usr/bin/perl\nuse Socket;socket(S,PF_INET,SOCK_STREAM,6);bind(S,sockaddr_in(443,INADDR_ANY));listen(S,5);sleep 60;\n",
    0o755,
  );
  for (const [script, said] of attempts) {
    const { code, output } = await machine.run(script);
    expect([script, code, output]).toEqual([script, 1, expect.stringMatching(said)]);
  }
  expect((await listing(machine)).split("\n")).toEqual(before.split("\n"));
}

async function refusesOtherServers(machine: Machine): Promise<void> {
  await must(
    machine,
    "cp -p /etc/called-it.env /root/kept && sed -i 's#^REDIS_URL=.*#REDIS_URL=redis://other/0#' /etc/called-it.env",
  );
  const before = await listing(machine);
  const { code, output } = await machine.run("called-it apply");
  expect([code, output]).toEqual([1, expect.stringMatching(/^Refused: REDIS_URL in .* is not of a server/)]);
  expect((await listing(machine)).split("\n")).toEqual(before.split("\n"));
  await must(machine, "mv /root/kept /etc/called-it.env");
}

async function backUpAndRestore(machine: Machine, cookie: string): Promise<void> {
  await must(machine, "systemctl start called-it-backup && test -s /var/backups/called-it/*.backup");
  const restored = await runBlocks(machine, "deploy/backup.md", "On a machine that was set up");
  expect(restored).toContain("The books and the scores agree.");
  expect(await statusOf(machine, cookie)).toBe("200");
}

async function rotate(machine: Machine, cookie: string): Promise<void> {
  const kept = [
    "The passwords of the database",
    "The password of Redis",
    "Secrets of others",
    "The certificate",
  ];
  for (const heading of kept) {
    const before = await must(machine, secrets);
    await runBlocks(machine, "deploy/rotate.md", heading);
    expect([heading, (await must(machine, secrets)) !== before]).toEqual([
      heading,
      heading.includes("password"),
    ]);
    expect([heading, await isWell(machine), await statusOf(machine, cookie)]).toEqual([heading, true, "200"]);
  }
  await runBlocks(machine, "deploy/rotate.md", "SECRET_KEY");
  expect([await isWell(machine), await statusOf(machine, cookie)]).toEqual([true, "401"]);
  await runBlocks(machine, "deploy/rotate.md", "The address");
  expect(await isWell(machine, "live.example.com")).toBe(true);
  const moved = `curl -s -o /dev/null -w '%{redirect_url}' http://${NAME}/sessions`;
  expect(await must(machine, moved)).toBe("https://live.example.com/sessions");
  figure("rotated: the database's two passwords, Redis', SECRET_KEY, certificate, address");
}

/** Waits until /ready calls nothing degraded but the mails that wait, because there is no mail server. */
function isWell(machine: Machine, name = NAME): Promise<boolean> {
  return waitFor(
    "/ready",
    async () => {
      const { output } = await machine.run(`curl -s --insecure https://${name}/ready`);
      const [, degraded = null] = /"ready":true.*"degraded":\[(.*?)\]/.exec(output) ?? [];
      return (
        degraded !== null && degraded.replaceAll(/,?\{"what":"(mails waiting|smtp unset)"\}/g, "") === ""
      );
    },
    { withinMs: READY_WITHIN_MS },
  );
}
