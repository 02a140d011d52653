import { type Logger, type LoggerOptions, pino } from "pino";
import * as v from "valibot";
import { isDatabaseAway, takesNoWrites } from "#db/pool/database-errors.ts";
import type { Env } from "#src/settings/env.ts";
import { currentCause } from "./cause.ts";
import { describeError, explainError, hideValues } from "./describe-error.ts";

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

/**
 * The log of one process: JSON lines in production, short readable lines otherwise.
 * Errors are written without the values that they were about, statements only at the level "debug", and no line has a mail address. What a request has caused carries its
 * id, in every process.
 * @param name of the process: "web", "worker", "start".
 * @param write gets each line; by default it is written to the output of the process.
 */
export function createLog(
  env: Pick<Env, "production" | "logLevel">,
  name: string,
  write: (line: string) => void = (line) => void process.stdout.write(line),
): Logger {
  const withQuery = ["debug", "trace"].includes(env.logLevel);
  const options = {
    name,
    level: env.logLevel,
    redact: { paths: secrets, censor: "[hidden]" },
    hooks: countLike(),
    serializers: { err: (error: unknown) => describeError(error, { withQuery }) },
    base: { name },
    mixin: () => {
      const { requestId = null } = currentCause() ?? {};
      return requestId === null ? {} : { requestId };
    },
  };
  return pino(options, {
    write: (line: string) => write(hideValues(env.production ? line : readable(line))),
  });
}

const WARN = 40;
/** So many lines about one error are written in this time; then how many more there were is one line. */
const LIKE = { max: 10, withinMs: 10_000 };

/** A fault that each request meets must not hide what else is in the log: warnings and errors with the same text and error are counted. */
function countLike(): NonNullable<LoggerOptions["hooks"]> {
  const counts = new Map<string, number>();
  return {
    logMethod(line, write, level) {
      const [about, text]: readonly unknown[] = line;
      const error = typeof about === "object" && about !== null && "err" in about ? about.err : undefined;
      if (level < WARN || error === undefined) return write.apply(this, line);
      const key = `${String(text)} ${explainError(error)}`;
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      if (count <= LIKE.max) write.apply(this, line);
      if (count > 1) return;
      const tell = () => {
        const more = (counts.get(key) ?? 0) - LIKE.max;
        counts.delete(key);
        if (more > 0) write.apply(this, [`${String(text)}, and ${more} more like it`]);
      };
      setTimeout(tell, LIKE.withinMs).unref();
    },
  };
}

/** So many texts of warnings are remembered. */
const WARNINGS_MAX = 100;

/** Writes what libraries print as a warning to the log, each text once: some print it for each connection. */
export function takeWarnings(log: Logger): void {
  const said = new Set<string>();
  const warn = (...words: unknown[]) => {
    const text = words.map(String).join(" ");
    if (!said.has(text)) log.warn(text);
    if (said.size >= WARNINGS_MAX) said.clear();
    said.add(text);
  };
  Object.assign(globalThis.console, { warn });
}

/** `12:04:11 web info placed a call {"callId":7}`. @param from the first letter of the time as ISO 8601 has it; 0: with the date. */
export function readable(line: string, from = 11): string {
  const { level, time, name, msg, err, ...rest } = v.parse(v.looseObject({}), JSON.parse(line));
  const clock = new Date(Number(time)).toISOString().slice(from, 19).replace("T", " ");
  const label = pino.levels.labels[Number(level)] ?? "info";
  const word = Number(level) < WARN ? label : label.toUpperCase();
  const details = Object.keys(rest).length === 0 ? "" : ` ${JSON.stringify(rest)}`;
  return `${clock} ${String(name)} ${word} ${typeof msg === "string" ? msg : ""}${details}${trace(err)}\n`;
}

function trace(err: unknown): string {
  if (typeof err !== "object" || err === null) return "";
  const text = "stack" in err ? err.stack : JSON.stringify(err);
  const cause = "cause" in err ? trace(err.cause) : "";
  return `\n  ${String(text).replaceAll("\n", "\n  ")}${cause}`;
}

/** Logs that some work has failed. What follows from a database that is away, or takes no writes, is no error: the process says that once. */
export function logFailure(log: Logger, error: unknown, text: string): void {
  log[isDatabaseAway(error) || takesNoWrites(error) ? "warn" : "error"]({ err: error }, text);
}
