import { broadcast, sessionStream } from "#src/base/streams/broadcast.ts";
import { gidOf } from "#src/people/sign-ins/viewer.ts";
import { startCableServer } from "#tests/live/cable/cable-server.ts";
import { Client, sessionChannel, userChannel } from "#tests/live/cable/client.ts";
import { afterFile } from "#tests/support/after-file.ts";
import type { BuiltUser } from "#tests/support/build.ts";
import { signInDirectly } from "#tests/support/client.ts";
import type { TestDeps } from "#tests/support/deps.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import type { ViewerName } from "./markers.ts";

const END = "the end of what is followed";
type Followers = Partial<Record<ViewerName, Pick<BuiltUser, "id">>> & { owner: { id: number } };

/** Sessions that everybody follows, and one that not everybody may. */
type Followed = { open: readonly number[]; shut: number };

/** Lets each user follow these sessions, their own messages, and try to follow the owner's. */
export async function followCable(deps: TestDeps, users: Followers, { open: sessionIds, shut }: Followed) {
  const cable = startCableServer(deps);
  afterFile(() => cable.stop());
  const channels = sessionIds.map(sessionChannel);
  const clients = await Promise.all(
    Object.entries(users).map(async ([name, user]) => {
      const cookie = (await signInDirectly(deps, user))["cookie"] ?? "";
      const client = await new Client(cable.url, { origin: cable.origin, cookie }).welcomed();
      for (const channel of [...channels, userChannel(gidOf(user.id))]) await client.follow(channel);
      client.send({ command: "subscribe", identifier: userChannel(gidOf(users.owner.id)) });
      client.send({ command: "subscribe", identifier: sessionChannel(shut) });
      return [name, client] as const;
    }),
  );
  /** Waits for all that was sent. @returns the frames of each user as one text. */
  const collect = async (): Promise<Record<string, string>> => {
    await broadcast(
      deps.redis,
      sessionIds.map((id) => ({ stream: sessionStream(id), text: JSON.stringify({ END }) })),
    );
    const isOver = (client: Client) =>
      channels.every((channel) => client.messages(channel).some((message) => message["END"] === END));
    await waitFor("all messages", () => clients.every(([, client]) => isOver(client)));
    for (const [, client] of clients) client.close();
    return Object.fromEntries(clients.map(([name, { frames }]) => [name, JSON.stringify(frames)]));
  };
  return { collect };
}
