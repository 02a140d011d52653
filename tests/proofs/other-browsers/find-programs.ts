import { Glob } from "bun";
import { findProgram } from "#db/embedded/find-program.ts";
import { findOrInstall } from "#db/embedded/programs.ts";

/** The paths of the other browsers and of what leads them. */
export type Programs = { firefox: string; webkitDriver: string; webkit: string; screen: string };

/**
 * Finds the other browsers, and installs what is missing; see findOrInstall.
 * @param print called with a line before something is installed.
 */
export function findPrograms(print: (line: string) => void): Programs {
  const found = (name: string, debian: string, find: () => string | null) =>
    findOrInstall({ name, packages: { "apt-get": debian }, find }, print);
  return {
    firefox: found("Firefox", "firefox-esr", () => findProgram("firefox-esr", "firefox")),
    webkitDriver: found("WebKitWebDriver", "webkit2gtk-driver", () => findProgram("WebKitWebDriver")),
    webkit: found("MiniBrowser", "webkit2gtk-driver", findWebkit),
    screen: found("Xvfb", "xvfb", () => findProgram("Xvfb")),
  };
}

/** The small browser that the driver leads is not on the path. */
function findWebkit(): string | null {
  const [file] = new Glob("usr/lib/*/webkit*gtk-*/MiniBrowser").scanSync({ cwd: "/", absolute: true });
  return file ?? null;
}
