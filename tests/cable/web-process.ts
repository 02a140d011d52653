import { afterDeath } from "#db/embedded/warden.ts";
import { ownVariables } from "#src/env.ts";
import type { Deps } from "#src/deps.ts";

/** A web process as it runs in earnest, beside this one, on the same database and the same Redis. */
export type WebProcess = {
  /** `http://127.0.0.1:<port>` */
  origin: string;
  /** Asks it to stop, and waits until it has. Answers its exit code. */
  stop: () => Promise<number>;
};

const PORT_IN_LOG = /"port":(\d+)/;

export async function startWebProcess(deps: Deps): Promise<WebProcess> {
  const { databaseUrl, redisUrl, dataDir, secretKey } = deps.env;
  const child = Bun.spawn([process.execPath, "src/main.ts"], {
    env: {
      ...ownVariables(),
      NODE_ENV: "test",
      PORT: "0",
      HOST: "127.0.0.1",
      DATABASE_URL: databaseUrl,
      REDIS_URL: redisUrl,
      DATA_DIR: dataDir,
      SECRET_KEY: secretKey,
      LOG_LEVEL: "info",
      RATE_LIMITS: "off",
      DEMO: "off",
    },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  const warden = afterDeath(["kill", "-s", "TERM", String(child.pid)]);
  const listening = Promise.withResolvers<string>();
  void child.stdout.pipeThrough(new TextDecoderStream()).pipeTo(
    new WritableStream({
      write: (text) => {
        const port = PORT_IN_LOG.exec(text)?.[1];
        if (port !== undefined) listening.resolve(`http://127.0.0.1:${port}`);
      },
    }),
  );
  void child.exited.then(() => listening.reject(new Error("The web process ended before it listened.")));
  return {
    origin: await listening.promise,
    stop: async () => {
      child.kill("SIGTERM");
      const code = await child.exited;
      warden.release();
      return code;
    },
  };
}
