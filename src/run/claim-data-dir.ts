import { accessSync, constants, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import * as v from "valibot";
import { makeDataDir } from "#db/embedded/data-folder.ts";
import { endProcess, identityOf } from "#db/embedded/processes.ts";
import type { Env } from "#src/settings/env.ts";

const END_LEFTOVER_MS = 5_000;

const record = v.object({ pid: v.number(), identity: v.string(), url: v.string() });

/** This start cannot go on; the message says why and what to do. */
export class StartRefused extends Error {
  override readonly name = "StartRefused";
}

/**
 * Takes a data folder for this start: no other may use it until `release`. The claim of a start that was killed is void.
 * @throws StartRefused while another start uses the folder, or where the folder is not ours to write.
 */
export function claimDataDir(env: Env): { release: () => void } {
  makeDataDir(env.dataDir);
  refuseForeignFolder(env.dataDir);
  const file = path.join(env.dataDir, "start.json");
  const other = findRunning(file);
  if (other !== null) {
    throw new StartRefused(
      `Called It already runs from ${env.dataDir}: ${other.url} (process ${other.pid}).\n` +
        "For a second one, give it a folder and a port of its own: DATA_DIR=.data-2 PORT=3001",
    );
  }
  rmSync(file, { force: true });
  // "wx": of two starts at the same moment one fails here.
  writeFileSync(file, recordOf(process.pid, env.publicUrl), { flag: "wx" });
  return { release: () => rmSync(file, { force: true }) };
}

/** Notes a child of ours, so that the next start can end it should we be killed. Whoever reads finds a whole note. */
export function noteChild(env: Env, name: string, pid: number): void {
  const file = childFile(env, name);
  const draft = `${file}.new`;
  writeFileSync(draft, recordOf(pid, env.publicUrl));
  renameSync(draft, file);
}

/** Ends the child of that name which an earlier start left behind, if it still runs. */
export async function endLeftoverChild(env: Env, name: string): Promise<void> {
  const file = childFile(env, name);
  const left = findRunning(file);
  if (left !== null && !(await endProcess(left.pid, ["SIGTERM", "SIGKILL"], END_LEFTOVER_MS))) {
    throw new StartRefused(
      `The ${name} of an earlier start does not end (process ${left.pid}). End it, and start again.`,
    );
  }
  rmSync(file, { force: true });
}

function childFile(env: Env, name: string): string {
  return path.join(env.dataDir, `${name}.json`);
}

function recordOf(pid: number, url: string): string {
  return JSON.stringify({ pid, identity: identityOf(pid) ?? "", url });
}

/** The process that wrote the record, if that very process still runs. */
function findRunning(file: string): v.InferOutput<typeof record> | null {
  try {
    const read = v.parse(record, JSON.parse(readFileSync(file, "utf8")));
    return identityOf(read.pid) === read.identity ? read : null;
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
