import { Glob } from "bun";
import { isRoot } from "#db/embedded/data-folder.ts";
import { installPackage } from "#db/embedded/redis-binary.ts";

/** A program, the Debian package that has it, and where it is. */
type Program = { debian: string; find: () => string | null };

const programs = {
  firefox: { debian: "firefox-esr", find: () => Bun.which("firefox-esr") ?? Bun.which("firefox") },
  webkitDriver: { debian: "webkit2gtk-driver", find: () => Bun.which("WebKitWebDriver") },
  webkit: { debian: "webkit2gtk-driver", find: findWebkit },
  screen: { debian: "xvfb", find: () => Bun.which("Xvfb") },
} as const satisfies Record<string, Program>;

export type Programs = Record<keyof typeof programs, string>;

/**
 * Finds the other browsers. As root on Debian and Ubuntu it installs what is missing.
 * @param print called with a line before something is installed.
 * @throws with what to install, if something is missing then.
 */
export function findPrograms(print: (line: string) => void): Programs {
  for (const name of missing()) {
    if (!isRoot() || Bun.which("apt-get") === null) break;
    print(`installing ${name} with apt-get`);
    installPackage(name);
  }
  const lacking = missing();
  if (lacking.length > 0)
    throw new Error(
      `The other browsers are missing. Debian, Ubuntu: sudo apt-get install ${lacking.join(" ")}`,
    );
  return {
    firefox: found("firefox"),
    webkitDriver: found("webkitDriver"),
    webkit: found("webkit"),
    screen: found("screen"),
  };
}

/** The packages of the programs that are not there. */
function missing(): string[] {
  return [
    ...new Set(
      Object.values(programs)
        .filter(({ find }) => find() === null)
        .map(({ debian }) => debian),
    ),
  ];
}

function found(name: keyof typeof programs): string {
  return programs[name].find() ?? "";
}

/** The small browser that the driver leads is not on the path. */
function findWebkit(): string | null {
  const [file] = new Glob("usr/lib/*/webkit*gtk-*/MiniBrowser").scanSync({ cwd: "/", absolute: true });
  return file ?? null;
}
