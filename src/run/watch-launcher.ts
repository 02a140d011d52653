import { commandOf, parentOf } from "#db/embedded/processes.ts";
import { ownVariables } from "#src/settings/env.ts";

const CHECK_INTERVAL_MS = 500;
const CHAIN_LENGTH_MAX = 6;

/**
 * Calls back once when the process that launched this one is gone. `npx` forwards a signal to its own child only, so without
 * this, "npx bun run start" would keep running after Ctrl-C. Does nothing unless a package script started this process.
 */
export function onLauncherGone(callback: () => void): void {
  const variables = ownVariables();
  if (variables["npm_lifecycle_event"] === undefined) return;
  const throughNpm = variables["npm_config_user_agent"]?.startsWith("npm/") === true;
  const chain = launcherChain(throughNpm ? CHAIN_LENGTH_MAX : 1);
  const timer = setInterval(() => {
    if (chain.every(({ pid, parent }) => parentOf(pid) === parent)) return;
    clearInterval(timer);
    callback();
  }, CHECK_INTERVAL_MS);
  timer.unref();
}

/** The ancestors of this process up to npm; only the script runner if npm is not among them. */
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
