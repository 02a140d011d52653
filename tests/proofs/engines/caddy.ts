import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { launch } from "#db/embedded/server.ts";
import { isOpen } from "#tests/engines/free-port.ts";
import { requireProgram } from "#tests/engines/require-program.ts";
import { makeDataFolder } from "#tests/support/product-process.ts";
import { type Nginx, type NginxOptions, replaceIn } from "./nginx.ts";

const DEPLOYED = "deploy/caddy/Caddyfile";

/** Starts Debian's Caddy with deploy/caddy/Caddyfile, as for several machines. `plainPort` is where it listens without TLS. */
export async function startCaddy({
  port,
  plainPort,
  upstreams,
  certificate: { certificate, key },
}: NginxOptions & { plainPort: number }): Promise<Omit<Nginx, "kill">> {
  const { dataDir: folder, remove } = makeDataFolder();
  const file = (name: string) => path.join(folder, name);
  const options = ["admin off", "default_bind 127.0.0.1", `http_port ${plainPort}`, `https_port ${port}`];
  const config = replaceIn(DEPLOYED, [
    [/^\{$/m, `{\n${options.join("\n")}`],
    [/http:\/\/called-it\.example/, "http://localhost"],
    [/https:\/\/called-it\.example/, "https://localhost"],
    [/^called-it\.example \{/m, `localhost {\ntls ${certificate} ${key}`],
    ["/var/log/caddy/called-it.log", file("access.log")],
    [/#(?=health_)/g, ""],
    ["127.0.0.1:3000", upstreams.map((each) => `127.0.0.1:${each}`).join(" ")],
  ]);
  writeFileSync(file("Caddyfile"), config);
  const server = await launch({
    name: "caddy",
    command: [requireProgram("caddy"), "run", "--config", file("Caddyfile"), "--adapter", "caddyfile"],
    cwd: folder,
    env: { PATH: "/usr/bin:/bin", HOME: folder },
    logFile: file("error.log"),
    stopSignal: "SIGTERM",
    isReady: () => isOpen(port),
  });
  const logs = ["access.log", "error.log"].map(file);
  return {
    url: `https://localhost:${port}`,
    readLogs: () => logs.map((each) => (existsSync(each) ? readFileSync(each, "utf8") : "")).join(""),
    stop: async () => {
      await server.stop();
      remove();
    },
  };
}
