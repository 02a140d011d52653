import { setTimeout as sleep } from "node:timers/promises";
import * as v from "valibot";
import { WITHIN_MS } from "./visitor.ts";

// The few commands of WebDriver (w3.org/TR/webdriver2) that a visit needs; a library would be larger than they are.

const POLL_MS = 100;
/** The key under which an answer has the id of an element. */
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

const answer = v.object({ value: v.unknown() });
const failure = v.object({ error: v.string(), message: v.string() });
const sessionValue = v.object({
  sessionId: v.string(),
  capabilities: v.object({ browserVersion: v.optional(v.string(), "") }),
});
const elementValue = v.object({ [ELEMENT]: v.string() });

/** A page that is led by a driver. Elements are found by XPath, and waited for. */
export type Driver = {
  version: string;
  open: (url: string) => Promise<void>;
  click: (path: string) => Promise<void>;
  type: (path: string, text: string) => Promise<void>;
  /** Waits until an expression of JavaScript is true. */
  waitFor: (expression: string) => Promise<void>;
  end: () => Promise<void>;
};

/** Begins a session with a driver that is starting. */
export async function createDriver(url: string, capabilities: object): Promise<Driver> {
  await until(`${url} answers`, async () => (await fetch(`${url}/status`)).ok);
  const body = { capabilities: { alwaysMatch: capabilities } };
  const { sessionId, capabilities: given } = v.parse(
    sessionValue,
    await send("POST", `${url}/session`, body),
  );
  const session = `${url}/session/${sessionId}`;
  const post = (command: string, data: object) => send("POST", `${session}/${command}`, data);
  /** What is found may be replaced by the page at any moment: then it is found again. */
  const act = (path: string, command: string, data: object) =>
    until(`${command} ${path}`, async () => {
      const found = v.parse(elementValue, await post("element", { using: "xpath", value: path }));
      await post(`element/${found[ELEMENT]}/${command}`, data);
      return true;
    });
  return {
    version: given.browserVersion,
    open: async (address) => {
      await post("url", { url: address });
    },
    click: (path) => act(path, "click", {}),
    type: (path, text) => act(path, "value", { text }),
    waitFor: (expression) =>
      until(
        expression,
        async () => (await post("execute/sync", { script: `return ${expression}`, args: [] })) === true,
      ),
    end: async () => {
      await send("DELETE", session);
    },
  };
}

/** Sends a command. @returns the answer's value. @throws the driver's error. */
async function send(method: string, url: string, data?: object): Promise<unknown> {
  const response = await fetch(url, {
    method,
    ...(data === undefined ? {} : { body: JSON.stringify(data) }),
  });
  const { value } = v.parse(answer, await response.json());
  if (response.ok) return value;
  const { error, message } = v.parse(failure, value);
  throw new Error(`${error}: ${message}`);
}

async function until(condition: string, isTrue: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + WITHIN_MS;
  let last: unknown = null;
  while (Date.now() < deadline) {
    try {
      if (await isTrue()) return;
    } catch (error) {
      last = error;
    }
    await sleep(POLL_MS);
  }
  throw new Error(`Not within ${WITHIN_MS} ms: ${condition}`, { cause: last });
}
