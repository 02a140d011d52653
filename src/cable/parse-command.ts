import * as v from "valibot";

/** Longer names would only cost memory: a channel and an id need a tenth of it. */
const IDENTIFIER_LENGTH_MAX = 1_024;
/** A subscription has two streams at most; what a client knows of others is of no use. */
const STREAMS_MAX = 20;

const identifier = v.pipe(v.string(), v.maxLength(IDENTIFIER_LENGTH_MAX));

/** What an extended client knows already: its places in streams, or else the Unix second since when it was away. */
const historyWish = v.object({
  since: v.nullish(v.number()),
  streams: v.nullish(
    v.pipe(
      v.record(v.string(), v.object({ epoch: v.string(), offset: v.number() })),
      v.maxEntries(STREAMS_MAX),
    ),
  ),
});
export type HistoryWish = v.InferOutput<typeof historyWish>;

const command = v.variant("command", [
  v.object({
    command: v.literal("subscribe"),
    identifier,
    history: v.nullish(historyWish),
    /** An extended client is there again. */
    presence: v.nullish(v.looseObject({})),
  }),
  v.object({ command: v.literal("unsubscribe"), identifier }),
  v.object({ command: v.literal("message"), identifier, data: v.string() }),
  v.object({ command: v.literal("history"), identifier, history: v.nullish(historyWish) }),
  v.object({ command: v.picklist(["join", "leave", "presence"]), identifier }),
  v.object({ command: v.literal("pong") }),
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
