import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { chromiumFlags } from "#tests/support/chromium.ts";

/** The address of a page, and the cookies of the player who opens it ("name=value; name=value"); empty for nobody. */
export type Visit = { url: string; cookie: string };
/** A browser that others can control at its port. */
type OpenBrowser = { port: string; close: () => Promise<void> };

/** Opens a new browser with these cookies. */
export async function openBrowser(chromium: string, { url, cookie }: Visit): Promise<OpenBrowser> {
  const folder = mkdtempSync(path.join(tmpdir(), "called-it-lighthouse-"));
  const browser = Bun.spawn(
    [
      chromium,
      "--headless=new",
      "--remote-debugging-port=0",
      `--user-data-dir=${folder}`,
      ...chromiumFlags,
      "about:blank",
    ],
    { stdout: "ignore", stderr: "pipe" },
  );
  const close = async () => {
    browser.kill();
    await browser.exited;
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  try {
    const endpoint = await endpointIn(browser.stderr);
    await setCookies(endpoint, { url, cookie });
    return { port: new URL(endpoint).port, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The address at which the browser can be controlled, which it prints. */
async function endpointIn(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  let printed = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    printed += text;
    const [, endpoint] = /listening on (ws:\S+)/.exec(printed) ?? [];
    if (endpoint !== undefined) return endpoint;
  }
  throw new Error(`The browser ended:\n${printed}`);
}

async function setCookies(endpoint: string, { url, cookie }: Visit): Promise<void> {
  if (cookie === "") return;
  const cookies = cookie.split("; ").map((pair) => {
    const [name = "", ...value] = pair.split("=");
    return { name, value: value.join("="), url };
  });
  const socket = new WebSocket(endpoint);
  const done = Promise.withResolvers<string>();
  socket.addEventListener("error", () => done.reject(new Error("The browser cannot be controlled.")));
  socket.addEventListener("message", ({ data }) => done.resolve(String(data)));
  socket.addEventListener("open", () =>
    socket.send(JSON.stringify({ id: 1, method: "Storage.setCookies", params: { cookies } })),
  );
  const answer = await done.promise;
  socket.close();
  if (answer.includes('"error"')) throw new Error(`The browser takes no cookies: ${answer}`);
}
