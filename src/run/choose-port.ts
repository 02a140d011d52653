import { type Env, ownVariables, readEnv } from "#src/settings/env.ts";
import { StartRefused } from "./claim-data-dir.ts";

/**
 * Checks that the port is free. Web processes that share a port would otherwise also share it with another program, silently.
 * @returns the settings with the port; PORT=0 chooses any free port.
 * @throws StartRefused if another program listens on the port.
 */
export function choosePort(env: Env): Env {
  try {
    const probe = Bun.listen({ hostname: env.host, port: env.port, socket: { data: () => undefined } });
    const { port } = probe;
    probe.stop(true);
    return port === env.port ? env : readEnv({ ...ownVariables(), PORT: String(port) });
  } catch {
    throw new StartRefused(
      `${env.host}:${env.port} is taken. Choose another port, such as PORT=${env.port + 1}.`,
    );
  }
}
