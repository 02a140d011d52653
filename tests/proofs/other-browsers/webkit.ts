import * as v from "valibot";
import { startWatchdog } from "#db/embedded/server.ts";
import { ownVariables } from "#src/settings/env.ts";
import { freePort } from "#tests/engines/free-port.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { controlPath, fieldPath, IS_LIVE, isShown, type Visitor, WITHIN_MS } from "./visitor.ts";

const SCREEN = "800x1000x24";

/**
 * A visitor with WebKit: its small browser on a screen in memory, led by WebDriver.
 * @param programs the paths of WebKit's driver, its browser and the screen's server.
 */
export async function visitWithWebkit(programs: {
  driver: string;
  browser: string;
  screen: string;
}): Promise<Visitor> {
  const screen = startProgram([
    programs.screen,
    "-displayfd",
    "1",
    "-screen",
    "0",
    SCREEN,
    "-nolisten",
    "tcp",
  ]);
  const display = (await screen.firstOutput).trim();
  const port = freePort();
  const driver = startProgram([programs.driver, `--port=${port}`], { DISPLAY: `:${display}` });
  const page = await createDriver(`http://127.0.0.1:${port}`, {
    browserName: "MiniBrowser",
    "webkitgtk:browserOptions": { binary: programs.browser, args: ["--automation"] },
  });
  return {
    browser: `WebKit ${page.version}`,
    open: async (url) => {
      await page.open(url);
      await page.waitFor(IS_LIVE);
    },
    fill: (label, text) => page.type(fieldPath(label), text),
    press: async (name) => {
      await page.waitFor(IS_LIVE);
      await page.click(controlPath(name));
    },
    sees: (text) => page.waitFor(isShown(text)),
    close: async () => {
      await page.end();
      await Promise.all([driver.stop(), screen.stop()]);
    },
  };
}

/** Starts a program, which also ends with this process. */
function startProgram(command: string[], variables: Record<string, string> = {}) {
  const child = Bun.spawn(command, {
    env: { ...ownVariables(), ...variables },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
  });
  const watchdog = startWatchdog(["kill", "-s", "TERM", String(child.pid)]);
  const firstOutput = async (): Promise<string> => {
    const { value } = await child.stdout.getReader().read();
    return new TextDecoder().decode(value);
  };
  return {
    firstOutput: firstOutput(),
    stop: async () => {
      child.kill("SIGTERM");
      await child.exited;
      watchdog.release();
    },
  };
}

// The few commands of WebDriver (w3.org/TR/webdriver2) that a visit needs; a library would be larger than they are.

/** The key under which an answer has the id of an element. */
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

const answer = v.object({ value: v.unknown() });
const failure = v.object({ error: v.string(), message: v.string() });
const sessionValue = v.object({
  sessionId: v.string(),
  capabilities: v.object({ browserVersion: v.optional(v.string(), "") }),
});
const elementsValue = v.array(v.object({ [ELEMENT]: v.string() }));

/** A page that is led by a driver. Elements are found by XPath, and waited for. */
type Driver = {
  version: string;
  open: (url: string) => Promise<void>;
  click: (path: string) => Promise<void>;
  type: (path: string, text: string) => Promise<void>;
  /** Waits until an expression of JavaScript is true. */
  waitFor: (expression: string) => Promise<void>;
  end: () => Promise<void>;
};

/** Begins a session with a driver that is starting. */
async function createDriver(url: string, capabilities: object): Promise<Driver> {
  await until(`${url} answers`, async () => (await fetch(`${url}/status`)).ok);
  const body = { capabilities: { alwaysMatch: capabilities } };
  const { sessionId, capabilities: given } = v.parse(
    sessionValue,
    await send("POST", `${url}/session`, body),
  );
  const session = `${url}/session/${sessionId}`;
  const post = (command: string, data: object) => send("POST", `${session}/${command}`, data);
  /** What is found may be replaced by the page at any moment: then it is found again. The first one that is seen is meant. */
  const act = (path: string, command: string, data: object) =>
    until(`${command} ${path}`, async () => {
      const found = v.parse(elementsValue, await post("elements", { using: "xpath", value: path }));
      for (const { [ELEMENT]: id } of found) {
        if ((await send("GET", `${session}/element/${id}/displayed`)) !== true) continue;
        await post(`element/${id}/${command}`, data);
        return true;
      }
      return false;
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
  await waitFor(condition, () => isTrue().catch(() => false), { withinMs: WITHIN_MS });
}
