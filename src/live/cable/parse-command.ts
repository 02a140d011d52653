import * as v from "valibot";

/** A channel with an id needs about a tenth of this. Longer identifiers would only cost memory. */
export const IDENTIFIER_LENGTH_MAX = 1_024;
/** A subscription has at most two streams; more entries are of no use. */
const STREAMS_MAX = 20;

const identifier = v.pipe(v.string(), v.maxLength(IDENTIFIER_LENGTH_MAX));

/** Where an extended client wants its history to begin: its offset in each stream, or else a Unix second. */
const historyRequest = v.object({
  since: v.nullish(v.number()),
  streams: v.nullish(
    v.pipe(
      v.record(v.string(), v.object({ epoch: v.string(), offset: v.number() })),
      v.maxEntries(STREAMS_MAX),
    ),
  ),
});
export type HistoryRequest = v.InferOutput<typeof historyRequest>;

const command = v.variant("command", [
  v.object({
    command: v.literal("subscribe"),
    /** One that is too long is rejected, as each subscription is answered. */
    identifier: v.string(),
    history: v.nullish(historyRequest),
    /** An extended client that was present before joins again. */
    presence: v.nullish(v.looseObject({})),
  }),
  v.object({ command: v.literal("unsubscribe"), identifier }),
  v.object({ command: v.literal("message"), identifier, data: v.string() }),
  v.object({ command: v.literal("history"), identifier, history: v.nullish(historyRequest) }),
  v.object({ command: v.picklist(["join", "leave", "presence"]), identifier }),
  v.object({ command: v.literal("pong") }),
]);
export type Command = v.InferOutput<typeof command>;

/** Parses a frame of a client; null if it is not JSON or not a command. */
export function parseCommand(text: string): Command | null {
  const parsed = v.safeParse(command, parseJson(text));
  return parsed.success ? parsed.output : null;
}

/** Parses JSON, such as the text of an identifier; undefined if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
