import * as v from "valibot";

/** Longer names would only cost memory: a channel and an id need a tenth of it. */
const IDENTIFIER_LENGTH_MAX = 1_024;

const identifier = v.pipe(v.string(), v.maxLength(IDENTIFIER_LENGTH_MAX));

const command = v.variant("command", [
  v.object({ command: v.literal("subscribe"), identifier }),
  v.object({ command: v.literal("unsubscribe"), identifier }),
  v.object({ command: v.literal("message"), identifier, data: v.string() }),
]);
export type Command = v.InferOutput<typeof command>;

/** Reads what a client sent; null where it is not JSON or not a command. */
export function parseCommand(text: string): Command | null {
  const parsed = v.safeParse(command, parseJson(text));
  return parsed.success ? parsed.output : null;
}

/** Reads the JSON inside a JSON string, such as an identifier; undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
