import {
  accessSync,
  constants,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import * as v from "valibot";
import { closeDataDir, makeDataDir } from "#db/embedded/data-folder.ts";
import { folderIdentity } from "#db/embedded/folder-identity.ts";
import { endProcess, identityOf } from "#db/embedded/processes.ts";
import type { Env } from "#src/settings/env.ts";

const END_LEFTOVER_MS = 5_000;
/** In the data folder while a start uses it. */
export const START_FILE = "start.json";

/** `folder` identifies the data folder. The record in a copied folder is that of the original. */
const record = v.object({ pid: v.number(), identity: v.string(), url: v.string(), folder: v.string() });

/** The start cannot go on. The message says why, and what to do. */
export class StartRefused extends Error {
  override readonly name = "StartRefused";
}

/**
 * Claims a data folder for this start. Other starts are refused until `release`. The claim of a killed start is ignored.
 * @throws StartRefused while another start uses the folder, or if the folder is not writable.
 */
export function claimDataDir(env: Env): { release: () => void } {
  makeDataDir(env.dataDir);
  refuseForeignFolder(env.dataDir);
  closeDataDir(env.dataDir);
  const file = path.join(env.dataDir, START_FILE);
  const other = findRunning(file, env.dataDir);
  if (other !== null) {
    throw new StartRefused(
      `Called It already runs from ${env.dataDir}: ${other.url} (process ${other.pid}).\n` +
        "To start a second one, set another folder and port: DATA_DIR=.data-2 PORT=3001",
    );
  }
  rmSync(file, { force: true });
  // "wx": of two concurrent starts one fails here.
  writeFileSync(file, recordOf(process.pid, env), { flag: "wx", mode: 0o600 });
  return { release: () => rmSync(file, { force: true }) };
}

/** Records a child process, so that the next start can end it if this one is killed. The file is replaced atomically. */
export function recordChild(env: Env, name: string, pid: number): void {
  const file = childFile(env, name);
  const draft = `${file}.new`;
  writeFileSync(draft, recordOf(pid, env), { mode: 0o600 });
  renameSync(draft, file);
}

/** Ends the child processes that an earlier start left behind, if they still run. */
export async function endLeftoverChildren(env: Env): Promise<void> {
  const names = readdirSync(env.dataDir).flatMap((file) => childFileForm.exec(file)?.[1] ?? []);
  await Promise.all(names.map((name) => endLeftoverChild(env, name)));
}

async function endLeftoverChild(env: Env, name: string): Promise<void> {
  const file = childFile(env, name);
  const leftover = findRunning(file, env.dataDir);
  if (leftover !== null && !(await endProcess(leftover.pid, ["SIGTERM", "SIGKILL"], END_LEFTOVER_MS))) {
    throw new StartRefused(
      `The ${name} process of an earlier start does not end (process ${leftover.pid}). End it, and start again.`,
    );
  }
  rmSync(file, { force: true });
}

/** The records of child processes: `worker.json`, `web.json`, and with several web processes `web-1.json`. */
const childFileForm = /^(worker|web(?:-\d+)?)\.json$/;

function childFile(env: Env, name: string): string {
  return path.join(env.dataDir, `${name}.json`);
}

function recordOf(pid: number, { publicUrl, dataDir }: Env): string {
  return JSON.stringify({
    pid,
    identity: identityOf(pid) ?? "",
    url: publicUrl,
    folder: folderIdentity(dataDir),
  });
}

/**
 * The process in the record, if it still runs and is one of this data folder. The identity tells it from a later process with the
 * same id.
 */
function findRunning(file: string, dataDir: string): v.InferOutput<typeof record> | null {
  try {
    const read = v.parse(record, JSON.parse(readFileSync(file, "utf8")));
    return identityOf(read.pid) === read.identity && read.folder === folderIdentity(dataDir) ? read : null;
  } catch {
    return null;
  }
}

function refuseForeignFolder(dataDir: string): void {
  try {
    accessSync(dataDir, constants.W_OK | constants.X_OK);
  } catch {
    const owner = statSync(dataDir).uid;
    throw new StartRefused(
      `${dataDir} belongs to another user (uid ${owner}). Start as that user, or choose another DATA_DIR.`,
    );
  }
}
