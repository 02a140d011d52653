import { createInterface } from "node:readline";
import * as v from "valibot";
import { readable } from "#src/base/log.ts";

// called-it logs: prints what `journalctl --output=json` gives it, in words: time, process, message and cure. --errors leaves out what is no
// error: what a process has said otherwise than by its log, such as its last words, is one.

const text = v.union([
  v.string(),
  // A text that a terminal would not print.
  v.pipe(
    v.array(v.number()),
    v.transform((bytes) => Buffer.from(bytes).toString()),
  ),
]);
const entry = v.object({
  MESSAGE: v.nullish(text, ""),
  __REALTIME_TIMESTAMP: v.pipe(v.string(), v.transform(Number)),
  PRIORITY: v.optional(v.string(), "6"),
  /** The unit that has said it, or about which systemd says it. */
  UNIT: v.optional(v.string()),
  _SYSTEMD_UNIT: v.optional(v.string(), ""),
});
/** A line of a process' log, and not a part of one or of something else that looks like it. */
const own = v.pipe(v.string(), v.parseJson(), v.looseObject({ level: v.number(), time: v.number() }));

const ERROR_LEVEL = 50;
/** Of syslog. */
const WARNING = 4;
const MICROSECONDS_PER_MS = 1_000;
const onlyErrors = process.argv.includes("--errors");

for await (const line of createInterface({ input: process.stdin })) {
  const said = describe(v.parse(entry, JSON.parse(line)));
  if (said !== null) process.stdout.write(said);
}

function describe(of: v.InferOutput<typeof entry>): string | null {
  const { MESSAGE: message, __REALTIME_TIMESTAMP: at, UNIT: about } = of;
  const line = v.safeParse(own, message);
  if (line.success) {
    if (onlyErrors && line.output.level < ERROR_LEVEL) return null;
    // Where in the program it was is in the log itself.
    return readable(message, 0).replaceAll(/\n\s+at .*/g, "");
  }
  if (onlyErrors && about !== undefined && Number(of.PRIORITY) > WARNING) return null;
  const unit = (about ?? of._SYSTEMD_UNIT).replace(/^called-it-(.*?)\.\w+$/, "$1").replace("@", "-");
  const clock = new Date(at / MICROSECONDS_PER_MS).toISOString().slice(0, 19).replace("T", " ");
  return `${clock} ${unit} ${message}\n`;
}
