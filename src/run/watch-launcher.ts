import { commandOf, parentOf } from "#db/embedded/processes.ts";
import { ownVariables } from "#src/settings/env.ts";

const LOOK_EVERY_MS = 500;
const LINKS_MAX = 6;

/**
 * Calls back once when whatever launched this process is gone: `npx` hands a signal on to its own child only, so that
 * "npx bun run start" would go on without it. Does nothing for a process that was not started by a package script.
 */
export function onLauncherGone(callback: () => void): void {
  const variables = ownVariables();
  if (variables["npm_lifecycle_event"] === undefined) return;
  const throughNpm = variables["npm_config_user_agent"]?.startsWith("npm/") === true;
  const chain = launcherChain(throughNpm ? LINKS_MAX : 1);
  const timer = setInterval(() => {
    if (chain.every(({ pid, parent }) => parentOf(pid) === parent)) return;
    clearInterval(timer);
    callback();
  }, LOOK_EVERY_MS);
  timer.unref();
}

/** From this process upwards to npm, or only to the script runner where npm is not above it. */
function launcherChain(linksMax: number): { pid: number; parent: number }[] {
  const chain: { pid: number; parent: number }[] = [];
  let pid = process.pid;
  while (chain.length < linksMax) {
    const parent = parentOf(pid);
    if (parent === null || parent <= 1) break;
    chain.push({ pid, parent });
    if (/\bnp[mx]\b/.test(commandOf(parent) ?? "")) return chain;
    pid = parent;
  }
  return chain.slice(0, 1);
}
