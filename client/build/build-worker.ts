import path from "node:path";
import { offlinePage, offlinePolicy } from "../install/offline-page.ts";
import { checkFunctions } from "./check-functions.ts";
import { MARK_PATH } from "./draw-icons.ts";

const WORKER = path.join(import.meta.dir, "../install/worker/worker.ts");
const RETRY_SCRIPT = path.join(import.meta.dir, "../install/retry-when-online.ts");

type Parts = {
  /** The addresses of the files that every page needs. */
  files: readonly string[];
  icon: string;
  badge: string;
  /** The styles of the offline page. */
  styles: string;
  contrastStyles: string;
};

/**
 * Builds the service worker, with its version, the files that it stores and the offline page in it.
 * @returns its script. Equal sources make equal bytes, by which browsers see whether there is a new one.
 */
export async function buildWorker({ files, icon, badge, styles, contrastStyles }: Parts): Promise<string> {
  const page = { styles, contrastStyles, script: await bundle(RETRY_SCRIPT), mark: MARK_PATH };
  const shell = { files, icon, badge, offlinePage: offlinePage(page), offlinePolicy: offlinePolicy(page) };
  const version = Bun.hash(JSON.stringify(shell)).toString(36);
  return bundle(WORKER, { SHELL: JSON.stringify({ version, ...shell }) });
}

async function bundle(entry: string, define: Record<string, string> = {}): Promise<string> {
  const { outputs } = await Bun.build({
    entrypoints: [entry],
    target: "browser",
    format: "iife",
    minify: true,
    define,
  });
  const [script] = outputs;
  if (script === undefined) throw new Error(`The bundler made nothing of ${entry}.`);
  const text = (await script.text()).trim();
  checkFunctions(path.basename(entry), text);
  return text;
}
