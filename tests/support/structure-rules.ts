import path from "node:path";
import { readSource, type Source } from "./read-source.ts";

/** The rooms of src, lowest first. A room imports only rooms before it. The last one is the top of src itself. */
export const rooms = (
  "settings base outbox streams http mail sign-ins users storage notifications passkeys access-tokens push wallet payments spots calls leaderboard chat " +
  "settlements events timers sessions hosting stage blueprints dry-runs profiles shares replays books webhooks operations relay reactions cable health metrics page-trip ssr api backup run top"
).split(" ");

/** The files at the top of src: the web process and its server. */
const topFiles = ["src/main.ts", "src/server.ts"];

const FOLDER_FILES_MAX = 40;
const HANDLER_LINES_MAX = 5;
const STYLE_LINES_MAX = 250;

/** Files that match `from` must not import files or packages that match `banned`, except those that match `except`. */
type ImportRule = {
  from: RegExp;
  banned: RegExp;
  except?: RegExp;
  /** Allowed too, if only types are imported. */
  types?: RegExp;
  because: string;
};

const contract = /^src\/[^/]+\/contract\.ts$/;
const schemas = /^src\/[^/]+\/schemas\.ts$/;
const erased = /^src\/[^/]+\/(schemas|([\w-]+-)?endpoints?)\.ts$/;
const processes = /^src\/main\.ts$|^src\/run\/(start|migrate|reconcile|admin)\.ts$|^jobs\/main\.ts$/;

const importRules: ImportRule[] = [
  {
    from: /^client\//,
    banned: /^(src|db|jobs|tests)\//,
    except: /^src\/[^/]+\/contract\.ts$|^db\/lists\//,
    types: erased,
    because: "client knows contracts and lists, and the types of schemas and endpoints",
  },
  { from: /^client\//, banned: /^valibot$/, because: "only the server checks data" },
  {
    from: contract,
    banned: /./,
    except: /^src\/[^/]+\/contract\.ts$|^db\/lists\//,
    because: "a contract imports contracts and lists, and no valibot",
  },
  {
    from: schemas,
    banned: /./,
    except: /^valibot$|^src\/[^/]+\/(contract|schemas)\.ts$|^db\/lists\//,
    because: "a schema imports valibot, schemas, contracts and lists",
  },
  { from: /^db\//, banned: /^(src|jobs|client|tests)\//, because: "db is the bottom layer" },
  {
    from: /^src\/(?!main\.ts$)/,
    banned: /^jobs\//,
    except: /^jobs\/queues\.ts$/,
    because: "src enqueues through jobs/queues.ts",
  },
  {
    from: /^src\/main\.ts$/,
    banned: /^jobs\//,
    except: /^jobs\/(queues|dashboard)\.ts$/,
    because: "the web process hands the server the queue dashboard, and knows no more of jobs",
  },
  { from: /^(src\/(?!ssr\/)|jobs\/)/, banned: /^client\//, because: "only src/ssr renders the client" },
  {
    from: /^jobs\/workers\.ts$/,
    banned: /^src\/[^/]+\/(routes|present-[^/]+)\.tsx?$|^elysia$|^@elysiajs\//,
    because: "a worker calls verbs, not HTTP",
  },
  {
    from: /^(?!db\/(ledger|schema)\/|tests\/)/,
    banned: /^db\/schema\/(ledger|accounts)\.ts$/,
    because: "only db/ledger touches the ledger's tables",
  },
  { from: /^(?!jobs\/|tests\/)/, banned: /^bullmq$|^@bull-board\//, because: "only jobs knows BullMQ" },
  { from: /^(?!tests\/)/, banned: /^tests\//, because: "nothing imports tests" },
  { from: /./, banned: processes, because: "nothing imports what starts a process" },
  {
    from: /^(?!tests\/|src\/main\.ts$)/,
    banned: /^src\/server\.ts$/,
    because: "only main and tests make the server",
  },
];

const bannedNames = /(^|\/)(utils?|helpers?|services?|managers?|common|lib|misc)(\/|\.tsx?$)/;

/**
 * Checks the structure of the whole project.
 * @param texts every TypeScript and CSS file, by its path from the top of the project.
 * @returns a sentence for each broken rule; none if all rules hold.
 */
export function brokenRules(texts: ReadonlyMap<string, string>): string[] {
  const sources = [...texts]
    .filter(([file]) => !file.endsWith(".css"))
    .map(([file, text]) => readSource(file, text));
  return [
    ...sources.flatMap((source) => [...brokenImports(source), ...brokenForm(source)]),
    ...cycles(sources),
    ...longStyles(texts),
    ...fullFolders([...texts.keys()]),
  ];
}

function longStyles(texts: ReadonlyMap<string, string>): string[] {
  return [...texts].flatMap(([file, text]) => {
    const lines = text.trimEnd().split("\n").length;
    if (!file.endsWith(".css") || lines <= STYLE_LINES_MAX) return [];
    return [`${file} has ${lines} lines; a style sheet has at most ${STYLE_LINES_MAX}`];
  });
}

function fullFolders(files: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const file of files) counts.set(path.dirname(file), (counts.get(path.dirname(file)) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count > FOLDER_FILES_MAX)
    .map(([folder, count]) => `${folder} has ${count} files; a folder has at most ${FOLDER_FILES_MAX}`);
}

function brokenImports(source: Source): string[] {
  const { file } = source;
  return source.imports.flatMap(({ to, specifier, typesOnly }) => {
    const broken = importRules
      .filter((rule) => rule.from.test(file) && rule.banned.test(to) && rule.except?.test(to) !== true)
      .filter((rule) => !typesOnly || rule.types?.test(to) !== true)
      .map((rule) => rule.because);
    if (isInLaterRoom(file, to)) broken.push("a room imports only rooms before it");
    if (specifier.startsWith(".") && to.split("/")[0] !== file.split("/")[0]) {
      broken.push("another top folder is imported by its alias");
    }
    return broken.map((because) => `${file} imports ${to}, but ${because}`);
  });
}

function isInLaterRoom(file: string, to: string): boolean {
  // Another rule says which files import the server.
  if (to === "src/server.ts") return false;
  const [from, target] = [roomOf(file), roomOf(to)];
  return from !== undefined && target !== undefined && rooms.indexOf(target) > rooms.indexOf(from);
}

function brokenForm({ file, readsEnvironment, handlerLines }: Source): string[] {
  const broken: string[] = [];
  const room = roomOf(file);
  if (room !== undefined && !rooms.includes(room))
    broken.push(`is in src/${room}, which is not in the list of rooms`);
  if (room === "top" && !topFiles.includes(file)) broken.push("is at the top of src; move it into a room");
  if (bannedNames.test(file)) broken.push("has a name that says nothing; name it for its noun or its verb");
  if (readsEnvironment && file !== "src/settings/env.ts")
    broken.push("reads the environment; only src/settings/env.ts does");
  const longest = Math.max(0, ...handlerLines);
  if (/^src\/.*routes\.tsx?$/.test(file) && longest > HANDLER_LINES_MAX) {
    broken.push(`has a route handler of ${longest} lines; at most ${HANDLER_LINES_MAX}`);
  }
  return broken.map((what) => `${file} ${what}`);
}

function roomOf(file: string): string | undefined {
  const [top, room, ...rest] = file.split("/");
  if (top !== "src") return undefined;
  return rest.length === 0 ? "top" : room;
}

/** Every cycle of imports, reported once, from the first file that closes it. */
function cycles(sources: Source[]): string[] {
  const importsOf = new Map(sources.map(({ file, imports }) => [file, imports.map(({ to }) => to)]));
  const finished = new Set<string>();
  const cycleTexts: string[] = [];
  function walk(file: string, chain: string[]): void {
    if (finished.has(file)) return;
    const start = chain.indexOf(file);
    if (start >= 0) return void cycleTexts.push([...chain.slice(start), file].join(" -> "));
    for (const next of importsOf.get(file) ?? []) walk(next, [...chain, file]);
    finished.add(file);
  }
  for (const { file } of sources) walk(file, []);
  return cycleTexts.map((text) => `${text} is a cycle`);
}
