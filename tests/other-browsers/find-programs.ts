import { Glob } from "bun";
import { findProgram } from "#db/embedded/find-program.ts";
import { installPackages, type Program } from "#tests/engines/install-packages.ts";

const programs = {
  firefox: { debian: "firefox-esr", find: () => findProgram("firefox-esr", "firefox") },
  webkitDriver: { debian: "webkit2gtk-driver", find: () => findProgram("WebKitWebDriver") },
  webkit: { debian: "webkit2gtk-driver", find: findWebkit },
  screen: { debian: "xvfb", find: () => findProgram("Xvfb") },
} as const satisfies Record<string, Program>;

export type Programs = Record<keyof typeof programs, string>;

/**
 * Finds the other browsers, and installs what is missing; see installPackages.
 * @param print called with a line before something is installed.
 * @throws with what to install, if something is missing then.
 */
export function findPrograms(print: (line: string) => void): Programs {
  installPackages(Object.values(programs), print);
  return {
    firefox: found("firefox"),
    webkitDriver: found("webkitDriver"),
    webkit: found("webkit"),
    screen: found("screen"),
  };
}

function found(name: keyof typeof programs): string {
  return programs[name].find() ?? "";
}

/** The small browser that the driver leads is not on the path. */
function findWebkit(): string | null {
  const [file] = new Glob("usr/lib/*/webkit*gtk-*/MiniBrowser").scanSync({ cwd: "/", absolute: true });
  return file ?? null;
}
