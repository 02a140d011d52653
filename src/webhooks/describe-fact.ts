import * as v from "valibot";
import { formatMoney } from "#src/http/contract.ts";

// Decision: the row of a delivery has the cable's JSON, and a chat's message is made of it when it is sent. So the relay writes one
// text for all webhooks, another format applies to what waits, and a fact of another release is told as well as it can be.

/**
 * What a chat is told: what has happened, the question or session that it happened to (or empty), more facts, where to look (null: a
 * server without https is not public, and chats refuse its address), and when it was (or empty).
 */
export type ToldFact = { head: string; subject: string; facts: string[]; url: string | null; at: string };

const text = v.fallback(v.string(), "");
const maybeText = v.fallback(v.nullable(v.string()), null);
const count = v.fallback(v.number(), 0);
const moment = v.fallback(v.pipe(v.string(), v.isoTimestamp()), "");
const sent = v.object({ detail: v.looseObject({ serverTime: moment }) });
const event = v.object({
  sessionId: v.fallback(v.nullable(v.number()), null),
  title: text,
  trueLabel: text,
  falseLabel: text,
  result: v.fallback(v.nullable(v.boolean()), null),
  voided: v.fallback(v.boolean(), false),
  resultReason: maybeText,
  callsCount: count,
  pool: v.fallback(v.object({ totalCents: v.number() }), { totalCents: 0 }),
});
type ToldEvent = v.InferOutput<typeof event>;
const details = v.object({
  event: v.optional(event),
  session: v.optional(v.object({ slug: text, name: text })),
  webhook: v.optional(v.object({ name: text })),
});

const resultOf = ({ result, voided, trueLabel, falseLabel }: ToldEvent) => {
  if (voided) return "Void, all calls are refunded";
  return result === true ? trueLabel : falseLabel;
};
const sidesOf = ({ trueLabel, falseLabel }: ToldEvent) => [`${trueLabel} or ${falseLabel}`];
const poolOf = ({ callsCount, pool }: ToldEvent) => [
  `${callsCount} ${callsCount === 1 ? "call" : "calls"}, ${formatMoney(pool.totalCents)} in the pool`,
];
const nothing = () => [];

type Head = [head: string, facts: (event: ToldEvent) => string[]];

/** What each change of an event and of a session says. Another one is named as it is. */
const eventHeads: Readonly<Record<string, Head>> = {
  publish_event: ["Next question", sidesOf],
  open_event: ["Calls are open", sidesOf],
  close_event: ["Calls are closed", poolOf],
  resolve: ["Result", (told) => [resultOf(told), ...(told.resultReason === null ? [] : [told.resultReason])]],
  pay: ["Paid", (told) => [resultOf(told), ...poolOf(told)]],
  reset: ["Asked again, all calls are refunded", nothing],
  hide: ["Taken off", nothing],
  show: ["Shown again", sidesOf],
  update: ["Changed", sidesOf],
  destroy: ["Deleted", nothing],
};
const sessionHeads: Readonly<Record<string, string>> = {
  activate: "Players are sent here",
  deactivate: "Players are not sent here any more",
  start: "The session has started",
  stop: "The session is over",
  pause: "The session is paused",
  resume: "The session goes on",
  update: "The session was changed",
  destroy: "A planned session was deleted",
};

/**
 * What a message of the cable tells people.
 * @param message its type, such as "Event/resolve", and its JSON.
 */
export function describeFact(
  { publicUrl }: { publicUrl: string },
  { type, body }: { type: string; body: string },
): ToldFact {
  const { detail } = v.parse(v.fallback(sent, { detail: { serverTime: "" } }), readJson(body));
  const told = v.parse(v.fallback(details, {}), detail);
  return { ...wordsFor(type, told), url: addressOf(publicUrl, told), at: detail.serverTime };
}

type Told = v.InferOutput<typeof details>;
type Words = Pick<ToldFact, "head" | "subject" | "facts">;

function wordsFor(type: string, { event: ofEvent, session, webhook }: Told): Words {
  if (webhook !== undefined)
    return { head: "A test from Called It", subject: webhook.name, facts: ["It has arrived."] };
  const [source = "", change = ""] = type.split("/");
  const plain = (change || type).replaceAll("_", " ");
  if (source === "Event" && ofEvent !== undefined)
    return wordsForEvent(ofEvent, eventHeads[change] ?? [plain, nothing]);
  return { head: sessionHeads[change] ?? plain, subject: session?.name ?? "", facts: [] };
}

function wordsForEvent(told: ToldEvent, [head, facts]: Head): Words {
  // What was removed has no texts any more.
  if (told.title === "") return { head, subject: "A question", facts: [] };
  return { head, subject: told.title, facts: facts(told) };
}

function addressOf(publicUrl: string, { event: ofEvent, session }: Told): string | null {
  const place = session?.slug || ofEvent?.sessionId || null;
  return place === null || !publicUrl.startsWith("https:") ? null : `${publicUrl}/sessions/${place}`;
}

function readJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
