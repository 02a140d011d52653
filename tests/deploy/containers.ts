import { cpSync, existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { findOrInstall } from "#db/embedded/programs.ts";
import { startWatchdog } from "#db/embedded/server.ts";
import { requireProgram } from "#tests/engines/require-program.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { makeDebian, run } from "./debootstrap.ts";

// compose.yaml, run by Docker's Compose (Debian 13 has it) against podman, where no Docker engine runs and no registry of images answers.
// Needs root. What differs from a machine with Docker:
// - the images of Bun, nginx, Postgres and Redis are made of Debian's packages, with the users and the entry that the published ones have;
// - podman has no log driver `local`, and no owner for a tmpfs: everybody may write there;
// - podman asks for the health of a container by timers of systemd: here the test asks;
// - no port of this machine is taken: visitors are containers in the network of the proxy.

const TOP = path.join(import.meta.dir, "../..");
const ADDRESS_OF_PROXY = "172.31.87.2";
const SOCKET_WITHIN_MS = 30_000;
const HEALTH_EVERY_MS = 500;
/** What the proxy has said last of requests that failed. */
const PROXY_LINES = 100;

const SERVERS = ["ca-certificates", "nginx", "redis-server", "postgresql", "docker-compose"];
const PREPARED = `
update-ca-certificates
useradd --uid 1000 --create-home bun
chown -R 999:999 /var/lib/postgresql /var/lib/redis && rm -rf /var/lib/postgresql/*
chmod 1777 /var/lib/nginx /run /var/log/nginx
ln -s /usr/lib/postgresql/*/bin/* /usr/local/bin/ 2> /dev/null
echo "postgres:x:999:999::/var/lib/postgresql:/bin/bash" >> /etc/passwd
sed -i '/^user /d; s#^pid .*#pid /run/nginx.pid;#; s#/var/log/nginx/error.log#stderr#' /etc/nginx/nginx.conf
rm -f /etc/nginx/sites-enabled/*
ln -sf /dev/stdout /var/log/nginx/access.log && ln -sf /dev/stderr /var/log/nginx/error.log
`;
/** As the published image of Postgres does: the database is made in an empty volume, and the scripts are run once. */
const POSTGRES_ENTRY = `#!/bin/bash
set -e
export PGDATA=/var/lib/postgresql/data
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  initdb -U postgres --pwfile=<(echo "$POSTGRES_PASSWORD") --auth-local=trust --auth-host=scram-sha-256
  echo "host all all all scram-sha-256" >> "$PGDATA/pg_hba.conf"
  pg_ctl -w -o "-c listen_addresses= -c unix_socket_directories=/tmp" start
  for file in /docker-entrypoint-initdb.d/*.sql; do psql -v ON_ERROR_STOP=1 -U postgres -f "$file"; done
  pg_ctl -w stop
fi
exec postgres -c "listen_addresses=*" -c unix_socket_directories=/tmp
`;
const IMAGES = `
FROM localhost/servers AS bun
CMD ["bun"]
FROM localhost/servers AS nginx
CMD ["nginx", "-g", "daemon off;"]
FROM localhost/servers AS redis
CMD ["redis-server"]
FROM localhost/servers AS postgres
ENV PGHOST=/tmp
CMD ["/entry.sh"]
`;
/** The limits that a container may set here are those of the test's machine. */
const CONF = `[containers]
default_ulimits = ["nofile=8192:8192", "nproc=4096:4096"]
[engine]
runtime = "runc"
`;
const tmpfs: Readonly<Record<string, readonly string[]>> = {
  proxy: [
    "/run:mode=1777,size=1m",
    "/var/cache/nginx:mode=1777,size=256m",
    "/var/lib/nginx:mode=1777,size=64m",
  ],
  postgres: ["/tmp:size=64m"],
  redis: ["/run/redis:mode=1777,size=1m"],
};

/** A machine with containers. */
export type Containers = {
  /** Runs `docker compose` with these words. @returns what it has printed. @throws if it fails. */
  compose: (words: readonly string[], env?: Record<string, string>) => Promise<string>;
  /** Runs a program of Bun as a visitor, with the project's files at hand. @throws if it fails. */
  visit: (words: readonly string[]) => Promise<string>;
};

/** A machine with podman, the four images, and a clone with `.env`. It ends with the test's file. */
export async function startContainers(settings: Record<string, string>): Promise<Containers> {
  const folder = mkdtempSync(path.join(tmpdir(), "called-it-containers-"));
  requireParts();
  writeFileSync(path.join(folder, "containers.conf"), CONF);
  const env = {
    PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    HOME: folder,
    CONTAINERS_CONF: path.join(folder, "containers.conf"),
    DOCKER_HOST: `unix://${folder}/podman.sock`,
    DOCKER_BUILDKIT: "0",
  };
  const places = ["root", "runroot", "network-config-dir"].map(
    (name) => `--${name}=${folder}/podman/${name}`,
  );
  const podman = [requireProgram("podman"), ...places];
  const must = async (command: readonly string[], more: Record<string, string> = {}) => {
    const { code, output } = await run(command, { ...env, ...more });
    if (code !== 0) throw new Error(`${command.join(" ")}\nended with ${code}:\n${output.slice(-4_000)}`);
    return output;
  };
  const mounts = `awk '$2 ~ "^${folder}" { print $2 }' /proc/mounts | sort -r | xargs -r umount -l`;
  const remove = `${podman.join(" ")} rm --all --force --time 0; ${mounts}; rm -rf ${folder}`;
  const service = Bun.spawn([...podman, "system", "service", "--time=0", env.DOCKER_HOST], {
    env,
    stdio: ["ignore", "ignore", "ignore"],
  });
  const end = ["/bin/sh", "-c", `kill ${service.pid}; ${remove}`];
  // Removing takes longer than a clean-up may: it is done once this process has ended.
  startWatchdog(end);
  const asking = askForHealth(podman, env);
  afterFile(() => asking.stop());
  const root = await makeServers(folder, must, podman);
  const clone = await makeClone(folder, must, settings);
  const program = [path.join(root, "usr/libexec/docker/cli-plugins/docker-compose")];
  const files = [path.join(clone, "compose.yaml"), writeOverride(folder)].flatMap((file) => ["-f", file]);
  await waitFor("podman", async () => (await run([...program, "ls"], env)).code === 0, {
    withinMs: SOCKET_WITHIN_MS,
  });
  const visitor = [
    "run",
    "--rm",
    "--network=called-it_default",
    `--volume=${TOP}:/program:ro`,
    "--workdir=/program",
    `--add-host=play.example.com:${ADDRESS_OF_PROXY}`,
    "--env=NODE_TLS_REJECT_UNAUTHORIZED=0",
  ];
  return {
    compose: (words, more) => must([...program, "--project-directory", clone, ...files, ...words], more),
    visit: async (words) => {
      const { code, output } = await run([...podman, ...visitor, "localhost/bun", "bun", ...words], env);
      if (code === 0) return output;
      const { output: log } = await run([...podman, "logs", "called-it-proxy-1"], env);
      const said = log.split("\n").filter((line) => !/"status":"[123]/.test(line));
      throw new Error(
        `${words.join(" ")} ended with ${code}:\n${output}\nThe proxy says:\n${said.slice(-PROXY_LINES).join("\n")}`,
      );
    },
  };
}

/** What podman runs, some of it in a folder of its own. */
function requireParts(): void {
  for (const name of ["runc", "iptables", "catatonit"]) requireProgram(name);
  for (const name of ["netavark", "aardvark-dns"]) {
    const file = `/usr/lib/podman/${name}`;
    findOrInstall({ name, packages: { "apt-get": name }, find: () => (existsSync(file) ? file : null) });
  }
}

type Must = (command: readonly string[]) => Promise<string>;

/** Makes the four images. @returns the root that they are made of. */
async function makeServers(folder: string, must: Must, podman: readonly string[]): Promise<string> {
  const root = await makeDebian(folder, { name: "trixie" }, SERVERS);
  await must(["chroot", root, "/bin/bash", "-c", PREPARED]);
  cpSync(process.execPath, path.join(root, "usr/local/bin/bun"), { dereference: true });
  writeFileSync(path.join(root, "entry.sh"), POSTGRES_ENTRY, { mode: 0o755 });
  const archive = path.join(folder, "servers.tar");
  await must(["tar", "--directory", root, "--create", `--file=${archive}`, "."]);
  const trusted = "--change=ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt";
  await must([...podman, "import", trusted, archive, "localhost/servers"]);
  const context = path.join(folder, "images");
  mkdirSync(context);
  writeFileSync(path.join(context, "Containerfile"), IMAGES);
  for (const name of ["bun", "nginx", "redis", "postgres"])
    await must([...podman, "build", "--quiet", `--target=${name}`, `--tag=localhost/${name}`, context]);
  return root;
}

/** A clone of what is here, with a certificate and the settings. */
async function makeClone(folder: string, must: Must, settings: Record<string, string>): Promise<string> {
  const clone = path.join(folder, "called-it");
  await must([requireProgram("git"), "clone", "--quiet", TOP, clone]);
  const certificates = path.join(clone, "deploy/certificates");
  mkdirSync(certificates, { recursive: true });
  const [key, certificate] = ["key", "pem"].map((end) => path.join(certificates, `called-it.${end}`));
  const subject = ["-subj", "/CN=play.example.com", "-addext", "subjectAltName=DNS:play.example.com"];
  const made = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "30", ...subject];
  await must([requireProgram("openssl"), ...made, "-keyout", key ?? "", "-out", certificate ?? ""]);
  await must(["chmod", "644", key ?? "", certificate ?? ""]);
  const images = ["bun", "nginx", "redis", "postgres"].map(
    (name) => [`${name.toUpperCase()}_IMAGE`, `localhost/${name}:latest`] as const,
  );
  const lines = [...Object.entries(settings), ...images].map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(path.join(clone, ".env"), lines.join(""), { mode: 0o600 });
  return clone;
}

function writeOverride(folder: string): string {
  const names = ["proxy", "web-1", "web-2", "worker", "migrate", "owner", "postgres", "redis"];
  const lines = names.flatMap((name) => [
    `  ${name}:`,
    "    logging: !override { driver: k8s-file }",
    ...(tmpfs[name] === undefined ? [] : [`    tmpfs: !override ${JSON.stringify(tmpfs[name])}`]),
    ...(name === "proxy" ? ["    ports: !reset []"] : []),
  ]);
  const file = path.join(folder, "override.yaml");
  writeFileSync(file, ["services:", ...lines, ""].join("\n"));
  return file;
}

/** Asks each container for its health, again and again. */
function askForHealth(podman: readonly string[], env: Record<string, string>): { stop: () => void } {
  let isOver = false;
  const ask = async () => {
    while (!isOver) {
      const { output } = await run([...podman, "ps", "--quiet"], env);
      const ids = output.split("\n").filter((id) => /^[0-9a-f]{12}$/.test(id));
      await Promise.all(ids.map((id) => run([...podman, "healthcheck", "run", id], env)));
      await Bun.sleep(HEALTH_EVERY_MS);
    }
  };
  void ask();
  return {
    stop: () => {
      isOver = true;
    },
  };
}
