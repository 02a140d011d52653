import { expect, test } from "bun:test";
import { allEndpoints } from "#src/api/all-endpoints.ts";
import { JSON_LIMIT } from "#src/http/read-body.ts";
import { openFixture } from "#tests/api/fixture.ts";
import { happy as happyOf } from "#tests/api/happy.ts";
import { sendRequest } from "#tests/api/send-request.ts";
import { textPlaces } from "#tests/api/text-places.ts";
import { buildSignedIn } from "#tests/live/cable/cable-server.ts";
import { userChannel } from "#tests/live/cable/client.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { expectLinear, repeatedTexts } from "#tests/support/cost-of.ts";
import { roundsOf } from "#tests/support/rounds.ts";
import { openCable } from "./open-cable.ts";

// Whatever a text is made of, and wherever it is sent, it costs no more than to go through it. A text that is searched from each of
// its letters would hold the process, and everybody in it.

const fixture = await openFixture({ RATE_LIMITS: "off" });
afterFile(() => fixture.deps.close());

/** Of the letters, those of which a text is made in each place. The places take turns, so each day all letters meet many of them. */
const PER_PLACE = roundsOf({ daily: 1, many: repeatedTexts.length });
/** What fits into an address or a header. */
const HEAD_BYTES = 8_000;
const FRAME_BYTES = 60_000;
/** What else is in a body. */
const REST_BYTES = 2_000;

const bytesOf = (text: string) => Buffer.byteLength(JSON.stringify(text)) - 2;
const fill = (letters: string, bytes: number) => letters.repeat(Math.floor(bytes / bytesOf(letters)));
const fillAddress = (letters: string, bytes: number) =>
  letters.repeat(Math.floor(bytes / encodeURIComponent(letters).length));
const lettersFor = (place: number) =>
  [...repeatedTexts, ...repeatedTexts].slice((place * PER_PLACE) % repeatedTexts.length).slice(0, PER_PLACE);

test("a long text costs little in a body, a query or a path of an endpoint", async () => {
  let count = 0;
  for (const named of allEndpoints) {
    const happy = await happyOf[named.name]?.(fixture);
    if (happy === undefined || happy.bytes !== undefined) continue;
    const { bodyMax = JSON_LIMIT } = named.endpoint;
    for (const { where, isInBody, requestOf } of textPlaces(named, happy)) {
      count += 1;
      for (const letters of lettersFor(count))
        await expectLinear(`${where} ${JSON.stringify(letters)}`, 1, async (part) => {
          const text = isInBody
            ? fill(letters, (bodyMax.bytes - REST_BYTES) * part)
            : fillAddress(letters, HEAD_BYTES * part);
          expect((await sendRequest(fixture.server, requestOf(text))).status).toBeLessThan(500);
        });
    }
  }
  expect(count).toBeGreaterThan(150);
});

// What the product reads of a request itself, and what a proxy or a browser adds.
const headers = [
  "accept",
  "accept-encoding",
  "accept-language",
  "authorization",
  "cookie",
  "content-type",
  "idempotency-key",
  "if-match",
  "if-none-match",
  "origin",
  "range",
  "referer",
  "sec-fetch-site",
  "user-agent",
  "x-csrf-token",
  "x-forwarded-for",
  "x-request-id",
];
const requests: [method: string, address: string][] = [
  ["GET", "/"],
  ["GET", "/api/v1/events"],
  ["POST", "/users/sign_in"],
];
/** Headers, letters and addresses take turns: each day every header has a third of the letters, and every letter is in many headers. */
const asked = (turn: number) => requests.filter((_, nth) => roundsOf({ daily: turn % 9, many: nth }) === nth);

test("a long text costs little in a header", async () => {
  const letters = repeatedTexts.filter((each) => /^[\t\u0020-\u007e]+$/.test(each));
  const all = [...letters, "a=b;", "a,", 'W/"a",', "en;q=0.5,"];
  const cookie = (text: string) => `${fixture.admin.browser.credentials()["cookie"]}; time_zone=${text}`;
  for (const [place, name] of headers.entries())
    for (const [index, letter] of all.entries())
      for (const [method, address] of asked(place + index))
        await expectLinear(`${name} ${letter} ${address}`, HEAD_BYTES, async (length) => {
          const text = `a${letter.repeat(length / letter.length)}a`;
          const own = { ...fixture.admin.browser.credentials(), accept: "text/html" };
          const request = new Request(`http://localhost:3000${address}`, {
            method,
            headers: { ...own, [name]: name === "cookie" ? cookie(text) : text },
          });
          expect((await sendRequest(fixture.server, request)).status).toBeLessThan(500);
        });
});

test("a long text costs little in a frame of the cable", async () => {
  const { deps, connect } = await openCable();
  const ana = await buildSignedIn(deps);
  const client = await connect(ana);
  const identifier = userChannel(ana.gid);
  await client.follow(identifier);
  const frames: ((text: string) => string)[] = [
    (text) => text,
    (text) => JSON.stringify({ command: text }),
    (text) => JSON.stringify({ command: "subscribe", identifier: text }),
    (text) => JSON.stringify({ command: "message", identifier, data: text }),
    (text) => JSON.stringify({ command: "message", identifier, data: JSON.stringify({ action: text }) }),
  ];
  for (const letters of repeatedTexts)
    await expectLinear(`frames of ${JSON.stringify(letters)}`, FRAME_BYTES / 2, async (bytes) => {
      for (const frameOf of frames) client.send(frameOf(fill(letters, bytes)));
      await client.settled();
    });
  client.close();
});
