import { startWatchdog } from "#db/embedded/watchdog.ts";
import { ownVariables } from "#src/settings/env.ts";
import { freePort } from "#tests/engines/free-port.ts";
import { controlPath, fieldPath, IS_LIVE, isShown, type Visitor } from "./visitor.ts";
import { createDriver } from "./web-driver.ts";

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
