import { type Logger, pino } from "pino";
import type { Env } from "#src/settings/env.ts";

/** Values under these names are replaced by "[hidden]". */
const secrets = [
  "password",
  "password_confirmation",
  "secretKey",
  "token",
  "authenticity_token",
  "cookie",
  "authorization",
].flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);

const levelWords = new Map([
  [10, "trace"],
  [20, "debug"],
  [30, "info"],
  [40, "WARN"],
  [50, "ERROR"],
  [60, "FATAL"],
]);

/**
 * The log of one process: JSON lines in production, short readable lines otherwise.
 * @param name of the process: "web", "worker", "start".
 */
export function createLog(env: Pick<Env, "production" | "logLevel">, name: string): Logger {
  const options = { name, level: env.logLevel, redact: { paths: secrets, censor: "[hidden]" } };
  if (env.production) return pino({ ...options, base: { name } });
  return pino(
    { ...options, base: { name } },
    { write: (line: string) => process.stdout.write(readable(line)) },
  );
}

/** `12:04:11 web info placed a call {"callId":7}` */
function readable(line: string): string {
  const entry: Record<string, unknown> = JSON.parse(line);
  const { level, time, name, msg, err, ...rest } = entry;
  const clock = new Date(Number(time)).toISOString().slice(11, 19);
  const word = levelWords.get(Number(level)) ?? "info";
  const details = Object.keys(rest).length === 0 ? "" : ` ${JSON.stringify(rest)}`;
  return `${clock} ${String(name)} ${word} ${typeof msg === "string" ? msg : ""}${details}${trace(err)}\n`;
}

function trace(err: unknown): string {
  if (typeof err !== "object" || err === null) return "";
  const text = "stack" in err ? err.stack : JSON.stringify(err);
  return `\n  ${String(text).replaceAll("\n", "\n  ")}`;
}
