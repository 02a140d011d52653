import { expect } from "bun:test";
import type { Address } from "./addresses.ts";
import { findLeaks, type ViewerName, viewerNames } from "./markers.ts";
import type { World } from "./world.ts";

const AT_ONCE = 8;

/**
 * Who takes turns with pages, which are made of the API's answers: of each group one is signed out, a guest or a player, and one has more.
 * What another admin may not read is in no page that is not made of the API's answers too. A program gets the pages of a stranger.
 */
const groups: readonly (readonly ViewerName[])[] = [
  ["stranger", "operator"],
  ["guest", "owner"],
  ["player", "host"],
];

/**
 * Lets every viewer read every address, and what came to them by itself. Expects that nobody reads what is not theirs.
 * @param turns true if each page is read by one group, in turns, and not by all.
 */
export async function expectNoLeaks(
  world: World,
  addresses: readonly Address[],
  { turns }: { turns: boolean },
): Promise<void> {
  const leaks: string[] = [];
  const seen = new Set<string>();
  const look = (reader: ViewerName, at: string, text: string) => {
    const markers = world.markers.filter((marker) => !at.includes(marker.text));
    const found = findLeaks(text, { reader, markers });
    leaks.push(...found.map(({ what, text: marker }) => `${reader} reads ${what} (${marker}) at ${at}`));
    const lower = text.toLowerCase();
    for (const marker of markers) if (lower.includes(marker.text.toLowerCase())) seen.add(marker.what);
  };
  for (const reader of viewerNames) {
    const received = world.received[reader];
    if (received !== undefined) look(reader, "what it receives", received);
    if (reader === "receiver") continue;
    const group = groups.findIndex((members) => members.includes(reader));
    const asked = addresses.filter(
      ({ accept }, turn) =>
        accept !== "text/html" || (turns ? turn % groups.length === group : reader !== "admin"),
    );
    await each(asked, async ({ path, accept }) =>
      look(reader, path, await read(world, reader, { path, accept })),
    );
  }
  expect(leaks).toEqual([]);
  // A kind of text that nobody at all reads proves nothing.
  const unread = world.markers.filter(({ readers, what }) => readers.length > 0 && !seen.has(what));
  expect(unread.map(({ what }) => what)).toEqual([]);
}

/** The status, the headers and the body of an answer, as one text. */
async function read(
  { server, headers }: World,
  reader: Exclude<ViewerName, "receiver">,
  { path, accept }: Address,
): Promise<string> {
  const request = new Request(`http://localhost:3000${path}`, { headers: { accept, ...headers[reader] } });
  const answer = await server.handle(request);
  // After an error nothing is read. A part that is not there (503) is a state, as at /ready.
  expect([path, answer.status]).not.toEqual([path, 500]);
  return `${answer.status} ${JSON.stringify([...answer.headers])} ${await answer.text()}`;
}

async function each<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const queue = [...items];
  const one = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}
