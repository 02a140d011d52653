import * as v from "valibot";
import { parseJson } from "./parse-command.ts";

const controlMessage = v.union([
  v.object({ userId: v.number() }),
  v.object({ signInId: v.string() }),
  v.object({ shut: v.number() }),
  v.object({ stream: v.string(), presence: v.looseObject({}) }),
  v.object({ stream: v.string(), message: v.looseObject({}) }),
]);
type ControlMessage = v.InferOutput<typeof controlMessage>;

/** Parses what a process sends to all others: whom to disconnect, which session to shut for those who may not enter it any more, or what to send without an offset. Null if it is neither. */
export function parseControl(text: string): ControlMessage | null {
  const parsed = v.safeParse(controlMessage, parseJson(text));
  return parsed.success ? parsed.output : null;
}
