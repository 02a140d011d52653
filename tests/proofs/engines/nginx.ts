import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { launch } from "#db/embedded/server.ts";
import { isOpen } from "#tests/engines/free-port.ts";
import { giveToServer, serverUser } from "#tests/engines/postgres.ts";
import { requireProgram } from "#tests/engines/require-program.ts";
import { makeDataFolder } from "#tests/support/product-process.ts";

const TOP = path.join(import.meta.dir, "../../..");

/** A certificate for localhost that has signed itself, and its key: files. */
export type Certificate = { certificate: string; key: string };

/** An nginx with TLS before web processes. */
export type Nginx = {
  /** https://localhost:port */
  url: string;
  /** What it has logged so far, with its errors. */
  readLogs: () => string;
  kill: () => Promise<void>;
  /** Stops it and removes its folder. */
  stop: () => Promise<void>;
};

export type NginxOptions = {
  /** Where it listens, on loopback. */
  port: number;
  /** The ports of the web processes. */
  upstreams: readonly number[];
  certificate: Certificate;
};

/** Starts Debian's nginx with the configuration of `deploy/nginx/called-it.conf`. */
export async function startNginx({ port, upstreams, certificate }: NginxOptions): Promise<Nginx> {
  const program = requireProgram("nginx");
  const { dataDir: folder, remove } = makeDataFolder();
  const file = (name: string) => path.join(folder, name);
  const servers = upstreams.map((each) => `server 127.0.0.1:${each} max_fails=1 fail_timeout=2s;`).join("\n");
  const site = fill({ port, certificate }).replaceAll("/var/log/nginx", folder);
  writeFileSync(file("site.conf"), `upstream called_it {\n${servers}\n}\n${site}`);
  writeFileSync(file("nginx.conf"), frame(folder));
  for (const each of ["", "site.conf", "nginx.conf"]) giveToServer(file(each));
  const server = await launch({
    name: "nginx",
    command: [program, "-p", folder, "-c", file("nginx.conf"), "-e", file("error.log")],
    cwd: folder,
    env: { PATH: "/usr/bin:/bin" },
    logFile: file("nginx.log"),
    stopSignal: "SIGTERM",
    user: serverUser,
    isReady: () => isOpen(port),
  });
  return {
    url: `https://localhost:${port}`,
    readLogs: () => ["access.log", "error.log"].map((name) => readFileSync(file(name), "utf8")).join(""),
    kill: async () => {
      server.kill();
      await server.exited;
    },
    stop: async () => {
      await server.stop();
      remove();
    },
  };
}

/** What Debian's own nginx.conf says around a site. */
function frame(folder: string): string {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join("\n");
  return `
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
events { worker_connections 4096; }
http {
${temporary}
include ${folder}/site.conf;
}
`;
}

/** The deployed configuration, with the addresses and files of this one. */
const fill = ({ port, certificate: { certificate, key } }: Pick<NginxOptions, "port" | "certificate">) =>
  replaceIn("deploy/nginx/called-it.conf", [
    // Port 80 is for the redirection to https alone.
    [/^server \{\n {4}listen 80;[\s\S]*?^\}$/m, ""],
    [/^ *listen \[::\]:443 .*\n/m, ""],
    ["listen 443 ", `listen 127.0.0.1:${port} `],
    [/server_name \S+;/, "server_name localhost;"],
    [/ssl_certificate \S+;/, `ssl_certificate ${certificate};`],
    [/ssl_certificate_key \S+;/, `ssl_certificate_key ${key};`],
  ]);

/** The text of a deployed file, with other parts in the place of some. @throws if it has none of these. */
export function replaceIn(file: string, replaced: readonly (readonly [RegExp | string, string])[]): string {
  return replaced.reduce(
    (text, [from, to]) => {
      const next = text.replace(from, to);
      if (next === text) throw new Error(`${file} has nothing like ${from}.`);
      return next;
    },
    readFileSync(path.join(TOP, file), "utf8"),
  );
}

/** For two days. */
const CERTIFICATE =
  "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost " +
  "-addext subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout key.pem -out certificate.pem";

/** Makes a certificate in a folder, which others may enter. */
export function makeCertificate(folder: string): Certificate {
  const command = [requireProgram("openssl"), ...CERTIFICATE.split(" ")];
  const made = Bun.spawnSync(command, { cwd: folder, stderr: "pipe" });
  if (made.exitCode !== 0) throw new Error(made.stderr.toString());
  const files = { certificate: path.join(folder, "certificate.pem"), key: path.join(folder, "key.pem") };
  for (const each of Object.values(files)) giveToServer(each);
  return files;
}
