import { expect, test } from "bun:test";
import { notModified } from "#src/http/finish-answer.ts";

const ask = (known: string | null, etag: string | null) => {
  const request = new Request(
    "http://localhost:3000/",
    known === null ? {} : { headers: { "if-none-match": known } },
  );
  const headers = new Headers({
    "content-type": "text/css",
    "content-encoding": "br",
    "content-disposition": "inline",
    "cache-control": "no-cache",
    vary: "accept-encoding",
  });
  if (etag !== null) headers.set("etag", etag);
  return notModified(request, headers);
};

const named: [etag: string, known: string][] = [
  ['"a"', '"a"'],
  ['W/"a"', 'W/"a"'],
  ['"a"', 'W/"a"'],
  ['W/"a"', '"a"'],
  ['"a"', '"x", "a"'],
  ['"a"', 'W/"x",W/"a" , "y"'],
  ['"a,b"', '"x", "a,b"'],
  ['W/"a"', "*"],
  ['"a"', " * "],
];
for (const [etag, known] of named)
  test(`a client that names the current tag gets 304: ${etag} by ${known}`, () =>
    expect(ask(known, etag)?.status).toBe(304));

const others: [etag: string | null, known: string | null][] = [
  ['"a"', null],
  ['"a"', ""],
  ['"a"', '"A"'],
  ['"a"', "a"],
  ['"a"', 'w/"b"'],
  ['"a"', '"*"'],
  ['"a"', "W/"],
  ['"a"', '"x", "aa"'],
  ['"b"', '"a,b"'],
  [null, "*"],
  [null, '""'],
];
for (const [etag, known] of others)
  test(`all other clients get the answer: ${etag} by ${known}`, () => expect(ask(known, etag)).toBeNull());

test("a 304 has no body, and of the headers those by which a cache updates what it has stored", async () => {
  const response = ask("*", 'W/"a"');
  expect(await response?.text()).toBe("");
  expect(Object.fromEntries(response?.headers ?? [])).toEqual({
    "cache-control": "no-cache",
    etag: 'W/"a"',
    vary: "accept-encoding",
  });
});
