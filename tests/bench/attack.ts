import * as v from "valibot";
import { browserSocket } from "#tests/live/cable/browser-socket.ts";
import { Person } from "#tests/people/users/person.ts";
import { ATTACKS, FROM } from "./overload-contract.ts";

// A process that does one thing without end, so that it does not hold up the process that measures what others notice.
// bun tests/bench/attack.ts NAME ORIGIN [COOKIE]

const BODY_BYTES = 1_000_000;
const PARTS_BYTES = 60_000;
const CONNECTIONS = 16;
const STRANGERS = 250;
const SOCKETS = 500;
const COMMANDS = 100;
const ATTACKER = { [FROM]: "198.51.100.1" };

const [name, origin, cookie] = v.parse(
  v.tuple([v.picklist(ATTACKS), v.string(), v.optional(v.string(), "")]),
  process.argv.slice(2),
);
await runs()[name]();

function runs(): Record<(typeof ATTACKS)[number], () => Promise<void>> {
  return {
    "16 connections with forms of 1 MB": () => sendBodies(form),
    "16 connections with JSON of 1 MB": () => sendBodies(json),
    "16 connections with forms in parts of 60 KB": () => sendBodies(formInParts),
    "250 sign-ins of one address": signInAll,
    "500 sockets of one guest": openSockets,
  };
}

type Body = (token: string) => { type: string; text: string };

function form(token: string): ReturnType<Body> {
  return {
    type: "application/x-www-form-urlencoded",
    text: `authenticity_token=${token}&${"a&".repeat(BODY_BYTES / 2)}`,
  };
}

/** Not refused by its length, and each line looks like the start of the part with the token. */
function formInParts(): ReturnType<Body> {
  const line = 'name="authenticity_token"\r\n';
  return {
    type: "multipart/form-data; boundary=b",
    text: line.repeat(PARTS_BYTES / line.length),
  };
}

function json(): ReturnType<Body> {
  return {
    type: "application/json",
    text: `{"user":{${Array.from({ length: 70_000 }, (_, key) => `"k_${key}_x":1`).join(",")}}}`,
  };
}

function visitor(): Person {
  return new Person(
    {
      handle: (request) => {
        request.headers.set(FROM, ATTACKER[FROM]);
        return fetch(request);
      },
    },
    origin,
  );
}

/** Sends large bodies on all connections without a pause, with the token of an own visit. */
async function sendBodies(bodyWith: Body): Promise<void> {
  const person = visitor();
  await person.get("/api/v1/users/me");
  const { type, text } = bodyWith(person.token);
  const cookies = [...person.cookies].map(([key, value]) => `${key}=${value}`).join("; ");
  const headers = { cookie: cookies, "content-type": type, "x-csrf-token": person.token, ...ATTACKER };
  const sendAll = async () => {
    for (;;) {
      await fetch(`${origin}/users/sign_in`, { method: "POST", headers, body: text }).then(
        (response) => response.text(),
        () => undefined,
      );
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, sendAll));
}

async function signInAll(): Promise<void> {
  const person = visitor();
  await person.get("/api/v1/users/me");
  for (;;) {
    const attempts = Array.from({ length: STRANGERS }, (_, index) =>
      person.signIn(`nobody-${index}@example.test`).then((response) => response.text()),
    );
    await Promise.all(attempts);
  }
}

/** Opens sockets that subscribe to unknown sessions as fast as they may, and opens those again that were closed. */
async function openSockets(): Promise<void> {
  const Socket = browserSocket(() => ({ cookie, origin, ...ATTACKER }));
  const keepOpen = async () => {
    for (;;) {
      const closed = Promise.withResolvers<void>();
      const socket = new Socket(`${origin.replace("http", "ws")}/cable`, ["actioncable-v1-json"]);
      socket.addEventListener("close", () => closed.resolve());
      socket.addEventListener("open", () => {
        for (let command = 0; command < COMMANDS; command += 1) {
          const identifier = JSON.stringify({ channel: "SessionsChannel", id: `unknown-${command}` });
          socket.send(JSON.stringify({ command: "subscribe", identifier }));
        }
      });
      await closed.promise;
    }
  };
  await Promise.all(Array.from({ length: SOCKETS }, keepOpen));
}
