import { describe, expect, test } from "bun:test";
import { broadcast, sessionStream } from "#src/base/streams/broadcast.ts";
import { findStreamOffsets } from "#src/base/streams/stream-offsets.ts";
import { buildSignedIn, type SignedIn } from "#tests/live/cable/cable-server.ts";
import { type Client, sessionChannel } from "#tests/live/cable/client.ts";
import { buildSession } from "#tests/support/build.ts";
import { untilPasses, waitFor } from "#tests/support/wait-for.ts";
import { EXTENDED, isRestored, openCable, sidOf } from "./open-cable.ts";

// The history of a stream, which any player may ask for again and again.
//
// | asked                                                   | expected                                             |
// | a history of more than 512 KB, or that cannot be read   | reject_history; nothing is read that is not sent     |
// | `since` without an offset                               | a gap; no message is read                            |

const KB = 1_024;

const { deps, redis, redisUrl, redisPid, connect } = await openCable();

const say = (sessionId: number, ...texts: string[]) =>
  broadcast(
    redis,
    texts.map((text) => ({ stream: sessionStream(sessionId), text: JSON.stringify({ text }) })),
  );
const historyAnswers = (client: Client) =>
  client.frames.flatMap(({ type }) =>
    type === "confirm_history" || type === "reject_history" ? [type] : [],
  );
/**
 * Notes each read of messages in a stream. A broadcast looks at the oldest message of its stream too, and that is none. By a socket of
 * its own: ioredis fails where a command is monitored in the moment in which it begins.
 */
async function watchReads(): Promise<{ reads: string[]; stop: () => void }> {
  const reads: string[] = [];
  const begun = Promise.withResolvers<void>();
  const decoder = new TextDecoder();
  let rest = "";
  const socket = await Bun.connect({
    unix: new URL(redisUrl).pathname,
    socket: {
      data: (_, bytes) => {
        const lines = (rest + decoder.decode(bytes, { stream: true })).split("\r\n");
        rest = lines.pop() ?? "";
        if (lines.includes("+OK")) begun.resolve();
        for (const line of lines) {
          const [, command, key, from] = /"(x(?:rev)?range)" "([^"]*)" "([^"]*)"/i.exec(line) ?? [];
          if (command !== undefined && from !== "-") reads.push(`${command} ${key} ${from}`);
        }
      },
    },
  });
  socket.write("MONITOR\r\n");
  await begun.promise;
  return { reads, stop: () => socket.end() };
}

/** What was said in the session. Counts of players come too, when they are due. */
const textsOf = (client: Client, sessionId: number) =>
  client.messages(sessionChannel(sessionId)).flatMap(({ text }) => text ?? []);

const askFor = async (who: SignedIn, sessionId: number) => {
  const client = await connect(who, { protocols: EXTENDED });
  await client.follow(sessionChannel(sessionId));
  return {
    client,
    ask: (history: object) =>
      client.send({ command: "history", identifier: sessionChannel(sessionId), history }),
  };
};

describe("a history", () => {
  test("of more than 512 KB is rejected, by offset and by time", async () => {
    const ana = await buildSignedIn(deps);
    const { id } = await buildSession(deps);
    const { client, ask } = await askFor(ana, id);
    await say(id, ...Array.from({ length: 30 }, () => "x".repeat(20 * KB)));
    await waitFor("the messages", () => textsOf(client, id).length === 30);
    const [first] = client.messagesWithOffsets(sessionChannel(id));
    ask({ streams: { [sessionStream(id)]: { epoch: first?.["epoch"], offset: 0 } } });
    ask({ since: 1 });
    await untilPasses(() => expect(historyAnswers(client)).toEqual(["reject_history", "reject_history"]));
    expect(textsOf(client, id)).toHaveLength(30);
    client.close();
  });

  test("is not overtaken by live messages, and none comes twice", async () => {
    const ana = await buildSignedIn(deps);
    const { id } = await buildSession(deps);
    const { client } = await askFor(ana, id);
    const sid = sidOf(client);
    await say(id, "0");
    await waitFor("the message", () => textsOf(client, id).length === 1);
    const said = client.messagesWithOffsets(sessionChannel(id)).find(({ text }) => text === "0");
    const { offset, epoch } = said ?? {};
    client.close();
    await waitFor("it to be stored", async () => (await redis.exists(`cable:connection:${sid}`)) === 1);
    await say(id, "1", "2", "3");
    const back = await connect(ana, { protocols: EXTENDED, sid });
    expect(isRestored(back)).toBe(true);
    await say(id, "4", "5");
    const history = { streams: { [sessionStream(id)]: { epoch, offset } } };
    back.send({ command: "history", identifier: sessionChannel(id), history });
    await say(id, "6");
    const texts = () => textsOf(back, id);
    await waitFor("all", () => texts().includes("6"));
    await say(id, "7");
    await waitFor("the next", () => texts().includes("7"));
    expect(texts()).toEqual(["1", "2", "3", "4", "5", "6", "7"]);
    expect(historyAnswers(back)).toEqual(["confirm_history"]);
    back.close();
  });
});

describe("a history", () => {
  test("without an offset is a gap, for which no message is read", async () => {
    const ana = await buildSignedIn(deps);
    const { id } = await buildSession(deps);
    await say(id, "1", "2");
    const client = await connect(ana);
    await client.follow(sessionChannel(id));
    const { reads, stop } = await watchReads();
    client.perform(sessionChannel(id), "since", {});
    client.perform(sessionChannel(id), "since", { epoch: "another", offset: 1 });
    const gaps = () => client.frames.filter(({ message }) => message?.["gap"] === true).length;
    await waitFor("the gaps", () => gaps() === 2);
    expect(reads).toEqual([]);
    const [offset] = await findStreamOffsets(redis, [sessionStream(id)]);
    client.perform(sessionChannel(id), "since", { ...offset, offset: 1 });
    await waitFor("a read that is seen", () => reads.length > 0);
    stop();
    client.close();
  });

  // The last one: connections that were stopped may still be replaced after it.
  test("that cannot be read because Redis is stopped is rejected, and live messages follow", async () => {
    const ana = await buildSignedIn(deps);
    const { id } = await buildSession(deps);
    const { client, ask } = await askFor(ana, id);
    await say(id, "1");
    await waitFor("the message", () => textsOf(client, id).length === 1);
    process.kill(redisPid, "SIGSTOP");
    ask({ since: Math.floor(Date.now() / 1_000) - 60 });
    await waitFor("the answer", () => historyAnswers(client).length === 1);
    process.kill(redisPid, "SIGCONT");
    expect(historyAnswers(client)).toEqual(["reject_history"]);
    await waitFor("Redis", () =>
      say(id, "2").then(
        () => true,
        () => false,
      ),
    );
    await waitFor("the next message", () => textsOf(client, id).length >= 2);
    client.close();
  });
});
