import { expect, test } from "bun:test";
import { LISTING, type Machine, makeRoot, startMachine } from "#tests/deploy/clean-machine.ts";
import type { Ran } from "#tests/deploy/debootstrap.ts";
import { blocksRunBy } from "#tests/deploy/read-blocks.ts";
import { figure } from "#tests/prove/figure.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { waitFor } from "#tests/support/wait-for.ts";

// deploy/setup.sh and the commands of the documents, on new servers of each system that they name. As root.
const ME = "tests/proofs/deploy/setup.proof.ts";
const MACHINES = "deploy/machines.md";
const BACKUP = "deploy/backup.md";
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

/** Runs a script of a visitor in the machine. */
const visit = (machine: Machine, script: string, ...words: readonly string[]) =>
  must(
    machine,
    `NODE_TLS_REJECT_UNAUTHORIZED=0 bun /opt/called-it/tests/${script} https://${NAME} ${words.map((word) => `'${word}'`).join(" ")}`,
  );

const HOSTS = `echo "127.0.0.1 ${NAME} live.example.com" >> /etc/hosts`;

/** From the first admin's link to a show that has paid a guest. @returns the cookies of the admin and of the guest, who has an account then. */
async function playFirstShow(machine: Machine): Promise<readonly [admin: string, player: string]> {
  await must(machine, HOSTS);
  const made = await must(machine, blocksRunBy(ME, MACHINES, "After the set-up")[0] ?? "");
  const link = /https:\S+/.exec(made)?.[0] ?? "";
  const show = await visit(machine, "deploy/first-show.ts", link);
  const [running = ""] = /the show is running after \d+ steps/.exec(show) ?? [];
  const [paid = ""] = /a guest's call is resolved after \d+ steps/.exec(show) ?? [];
  expect([running, paid]).toEqual([expect.stringMatching(/\d/), expect.stringMatching(/\d/)]);
  figure(`from the first admin's link: ${running}, ${paid}`);
  expect(await must(machine, "called-it reconcile")).toContain("The books and the scores agree.");
  const [, admin = "", player = ""] = /^cookie (.*)\nplayer (.*)$/m.exec(show) ?? [];
  return [admin, player];
}

/** The status that a browser with this cookie gets for its own account. */
const statusOf = (machine: Machine, cookie: string, name = NAME) =>
  must(
    machine,
    `curl -s --insecure -o /dev/null -w '%{http_code}' -H 'accept: application/json' -H 'cookie: ${cookie}' https://${name}/api/v1/users/me`,
  );

const roots = new Map<string, Promise<string>>();
// Bun ends what a test has registered with that test, unless something was registered before: then with the file, as the roots have to.
afterFile(() => roots.clear());
/** The root of a release, which is made once. */
function rootOf(name: string, like?: string): Promise<string> {
  const root = roots.get(name) ?? makeRoot(like === undefined ? { name } : { name, like });
  roots.set(name, root);
  return root;
}

test("trixie: one script and the commands by hand lead to the same machine", async () => {
  const base = await rootOf("trixie");
  await using machine = await startMachine(base);
  await using byHand = await startMachine(base);
  await Promise.all([setUp(machine), runBlocks(byHand, MACHINES, "By hand")]);
  // The folder of pictures comes with the product's first look at it.
  const places = String.raw`find /etc/called-it* /etc/nginx /etc/redis /etc/systemd /etc/sysctl.d /usr/local /var/lib/called-it /var/backups /opt/called-it -not -path '*/dist/*' -not -path '*/.bun/*' -not -path '/var/lib/called-it/storage*' -printf '%M %u:%g %p\n' | sort -k3; systemctl list-unit-files --state=enabled --no-legend --no-pager; grep -v '^user\|^#' /etc/redis/called-it.conf /etc/nginx/conf.d/*; runuser -u postgres -- psql -Atc "SELECT rolname, rolcreatedb, rolconfig FROM pg_roles UNION ALL SELECT datname, false, NULL FROM pg_database ORDER BY 1"`;
  const [one, other] = await Promise.all([must(machine, places), must(byHand, places)]);
  expect(without(other, /^$/)).toEqual(without(one, /^$|called-it\.(applied|releases|written.*)$/));
});

test("noble and trixie: one script leads to https, the first admin runs a show, and a new machine goes on from the nightly backup", async () => {
  await using former = await startMachine(await rootOf("noble", "gutsy"));
  await setUp(former);
  const cookies = await playFirstShow(former);
  const kept = await visit(former, "deploy/kept-by-a-restore.ts", ...cookies);
  const written = "echo BACKUP_PASSPHRASE=correct-horse-battery >> /etc/called-it.env";
  await must(former, `${written} && systemctl start called-it-backup`);
  const backup = await must(former, "base64 /var/backups/called-it/*.backup");

  await using machine = await startMachine(await rootOf("trixie"));
  await setUp(machine);
  machine.write("root/called-it.backup", Buffer.from(backup, "base64"));
  const [, restore = ""] = blocksRunBy(ME, BACKUP, "On a machine that was set up");
  const said = await must(machine, `set -e\n${written}\n${restore}`);
  expect(said).toContain("The books and the scores agree.");
  const key = (each: Machine) => must(each, "grep ^SECRET_KEY= /etc/called-it.env");
  expect(await key(machine)).toBe(await key(former));
  expect(await must(machine, "stat -c '%a %U' /etc/called-it.env; ls /var/lib/called-it")).toMatch(
    /^600 root\n(?!.*secret-key)/s,
  );
  await must(machine, HOSTS);
  expect(await visit(machine, "deploy/kept-by-a-restore.ts", ...cookies)).toBe(kept);
  expect(await isWell(machine)).toBe(true);
  figure(
    "a new machine: passwords, sign-ins, wallets, pictures and the webhooks' secrets are the former ones",
  );
});

test("bookworm: refusals and a second run change nothing, secrets are in no log, and each rotation ends what it says and nothing else", async () => {
  await using machine = await startMachine(await rootOf("bookworm"));
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
  const [cookie] = await playFirstShow(machine);
  expect(await statusOf(machine, cookie)).toBe("200");
  await refusesOtherServers(machine);
  await backUpAndRestore(machine, cookie);
  await rotate(machine, cookie);
});

test("bookworm: a certificate, an administrator's commands, a moment before a mistake, and the release before, as they are typed", async () => {
  await using machine = await startMachine(await rootOf("bookworm"));
  await must(machine, CLONE);
  await setUp(machine);
  await getCertificate(machine);
  await administer(machine);
  await refusesCommands(machine);
  await goBackInTime(machine);
  await rollBack(machine);
});

/** The program as a clone, a name that leads to this machine, and a server of Let's Encrypt's kind (pebble), which does not run yet. */
const CLONE = `apt-get -qq update && apt-get -qq install --yes --no-install-recommends git openssl pebble > /dev/null
git config --global user.name ana && git config --global user.email ana@example.test
cd /opt/called-it && git init -q && printf 'node_modules\ndist\n' > .git/info/exclude && git add -A && git commit -qm first
echo "127.0.0.1 localhost ${NAME}" >> /etc/hosts
mkdir /etc/letsencrypt /root/acme && cd /root/acme
printf 'server = https://127.0.0.1:14000/dir\nno-verify-ssl = true\n' > /etc/letsencrypt/cli.ini
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -keyout key -out pem 2> /dev/null
echo '{"pebble":{"listenAddress":"127.0.0.1:14000","certificate":"pem","privateKey":"key","httpPort":80}}' > acme.json`;
const ISSUER = `openssl s_client -connect ${NAME}:443 < /dev/null 2> /dev/null | openssl x509 -noout -issuer`;

async function getCertificate(machine: Machine): Promise<void> {
  const script = blocksRunBy(ME, MACHINES, "After the set-up")[2] ?? "";
  const without = await machine.run(script);
  expect([without.code, without.output]).toEqual([1, expect.stringContaining("there is no certificate yet")]);
  expect(await must(machine, ISSUER)).toContain(NAME);
  await must(
    machine,
    "systemd-run --quiet --working-directory=/root/acme --setenv=PEBBLE_VA_NOSLEEP=1 --setenv=PEBBLE_WFE_NONCEREJECT=0 pebble -config acme.json && sleep 2",
  );
  await must(machine, script);
  expect(await must(machine, ISSUER)).toContain("Pebble");
  const [first, , renewed] = (
    await must(
      machine,
      ["S", "certbot renew --quiet --force-renewal --no-random-sleep-on-renew", "S"]
        .join("\n")
        .replaceAll("S", "sha256sum < /etc/nginx/certificates/called-it.pem; echo"),
    )
  ).split("\n");
  expect(renewed).not.toBe(first);
}

async function administer(machine: Machine): Promise<void> {
  await runBlocks(machine, "deploy/redis.md", "Memory");
  await must(machine, "called-it apply && systemctl restart redis-server");
  expect(await must(machine, "called-it redis-cli CONFIG GET maxmemory")).toContain(String(2 * 1_024 ** 3));
  expect(await must(machine, "called-it redis-cli ACL WHOAMI")).toBe("admin\n");
  expect(await must(machine, "called-it psql -Atc 'SELECT current_user, current_database()'")).toBe(
    "postgres|called_it\n",
  );
  await must(machine, "pg_ctlcluster 15 main stop");
  const missed = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d (web-[12]|worker) ERROR .*database/m;
  await waitFor("it to be missed", async () => missed.test(await must(machine, "called-it logs --errors")));
  expect(await must(machine, "called-it apply")).toContain(
    "starting Postgres, whose cluster 15-main is down",
  );
  const logs = await must(machine, "called-it logs --errors");
  expect(logs).toMatch(missed);
  expect(logs).not.toContain(" info ");
}

async function refusesCommands(machine: Machine): Promise<void> {
  await must(machine, "touch /root/some.backup; cp /etc/nginx/certificates/called-it.pem /root/own.pem");
  await must(machine, "openssl genrsa -out /root/other.key 2048; echo SMPT_URL=x >> /etc/called-it.env");
  const before = await listing(machine);
  for (const [script, said] of [
    ["called-it backup /not/there/x", /there is no folder \/not\/there\. Nothing was written/],
    ["called-it restore /root/some.backup", /the processes run.*Nothing was changed/],
    [
      "called-it certificate /root/own.pem /root/other.key",
      /other\.key is not the key of.*Nothing was changed/,
    ],
    ["called-it certificate /root/other.key /root/other.key", /is no certificate.*Nothing was changed/],
    ["called-it apply", /SMPT_URL is no setting: SMTP_URL is\.[\s\S]*What runs goes on as it was/],
    ["called-it rollback", /no release was applied before this one/],
  ] as const) {
    const { code, output } = await machine.run(script);
    expect([script, code, output]).toEqual([script, 1, expect.stringMatching(said)]);
  }
  expect(without(await listing(machine), DIST)).toEqual(without(before, DIST));
  await must(machine, "sed -i /SMPT/d /etc/called-it.env");
}
/** What apply builds before it tries the settings. */
const DIST = /\/opt\/called-it/;

const calls = "called-it psql -Atc 'SELECT count(*), max(id), sum(wager_cents) FROM calls'";

async function goBackInTime(machine: Machine): Promise<void> {
  const [archive = "", base = "", back = "", after = ""] = blocksRunBy(ME, BACKUP, "To a point in time");
  await must(machine, `set -e\n${archive}\n${base}`);
  const made = await must(machine, "ls -d /archive/base-*");
  await playFirstShow(machine);
  const placeCall = () => visit(machine, "proofs/newcomer/place-call.ts");
  await placeCall();
  const before = await must(machine, calls);
  const minute = await must(machine, "date -u -d '+1 minute' '+%F %H:%M:00+00'");
  const passed = `[[ $(date +%s) -gt $(date -d '${minute.trim()}' +%s) ]]`;
  await must(machine, `until ${passed}; do sleep 1; done`);
  await placeCall();
  expect(await must(machine, calls)).not.toBe(before);
  await must(machine, "called-it psql -c 'DROP TABLE calls CASCADE'");

  const typed = back
    .replace(/(?<=^moment=)'.*'/m, `'${minute.trim()}'`)
    .replace(/(?<=^base=)\S+/m, made.trim());
  await must(machine, `set -e\n${typed}`);
  const isHere = "called-it psql -Atc 'SELECT NOT pg_is_in_recovery()'";
  await waitFor("the moment", async () => (await machine.run(isHere)).output === "t\n");
  expect(await must(machine, `set -e\n${after}`)).toContain("The books and the scores agree.");
  expect(await must(machine, calls)).toBe(before);
  await placeCall();
  expect(await must(machine, calls)).not.toBe(before);
  // Its log goes on as another timeline.
  await must(machine, base);
  const archived = "called-it psql -Atc 'SELECT last_archived_wal FROM pg_stat_archiver'";
  await waitFor("the archive", async () => (await must(machine, archived)).startsWith("00000002"));
  expect(await isWell(machine)).toBe(true);
  figure("went back to the minute before a table was dropped");
}

async function rollBack(machine: Machine): Promise<void> {
  const release = (script: string) =>
    must(machine, `cd /opt/called-it && ${script} && git commit -qam newer && called-it apply`);
  const version = async () => (await must(machine, "git -C /opt/called-it log -1 --format=%s")).trim();
  await release("echo '// Newer.' >> src/main.ts");
  expect(await must(machine, "called-it rollback")).toContain("Forward: git -C /opt/called-it checkout ");
  expect([await version(), await isWell(machine)]).toEqual(["first", true]);
  // One that says that this release cannot work with its database.
  await must(machine, "cd /opt/called-it && git checkout -q -");
  await release(
    `sed -i 's/"version": .*/"version": "9.0.0",/' package.json && sed -i 's/= ".*"/= "9.0.0"/' db/upgrade/compatible-since.ts && for each in db/sql/functions/*.sql; do echo '-- Newer.' >> $each; done`,
  );
  const refused = await machine.run("called-it rollback");
  expect([refused.code, refused.output]).toEqual([1, expect.stringContaining("newer release than this one")]);
  expect([await version(), await isWell(machine)]).toEqual(["newer", true]);
  await must(machine, "called-it rollback --replace-newer-sql");
  expect(await isWell(machine)).toBe(true);
  figure("back to the release before, also with its functions");
}

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
  const restored = await runBlocks(machine, BACKUP, "On a machine that was set up");
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
  // nginx answers some more requests with the configuration of before.
  await waitFor(
    "the new address",
    async () => (await must(machine, moved)) === "https://live.example.com/sessions",
  );
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
