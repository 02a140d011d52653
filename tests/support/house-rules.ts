import { readSource, type Source } from "./read-source.ts";

/** The rooms of src, lowest first. A room imports only rooms that stand before it. */
export const rooms = (
  "settings base outbox streams http mail sign-ins users storage notifications wallet payments spots calls leaderboard chat " +
  "settlements events sessions blueprints profiles books relay cable ssr api run"
).split(" ");

const WORKER_LINES_MAX = 25;
const HANDLER_LINES_MAX = 5;

/** `from` may not import `banned`, except `except`. Files are paths from the top; anything else is a package. */
type ImportRule = {
  from: RegExp;
  banned: RegExp;
  except?: RegExp;
  /** Allowed too, as long as nothing but types is taken. */
  types?: RegExp;
  because: string;
};

const contract = /^src\/[^/]+\/contract\.ts$/;
const endpoints = /^src\/[^/]+\/([\w-]+-)?endpoints?\.ts$/;
const top = /^src\/(main|start|migrate|reconcile)\.ts$|^jobs\/main\.ts$/;

const importRules: ImportRule[] = [
  {
    from: /^client\//,
    banned: /^(src|db|jobs|tests)\//,
    except: contract,
    types: endpoints,
    because: "client knows contracts only",
  },
  { from: /^client\//, banned: /^valibot$/, because: "shapes are checked on the server" },
  {
    from: contract,
    banned: /./,
    except: /^valibot$|^src\/[^/]+\/contract\.ts$/,
    because: "a contract is pure",
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
    from: /^jobs\/workers\//,
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
  { from: /./, banned: top, because: "nothing imports what starts a process" },
  {
    from: /^(?!tests\/|src\/main\.ts$)/,
    banned: /^src\/server\.ts$/,
    because: "only main and tests make the server",
  },
];

const bannedNames = /(^|\/)(utils?|helpers?|services?|managers?|common|lib|misc)(\/|\.tsx?$)/;

/**
 * Checks the whole house.
 * @param texts the source of every file, by its path from the top of the project.
 * @returns a sentence for each broken rule; none if all is well.
 */
export function brokenRules(texts: ReadonlyMap<string, string>): string[] {
  const sources = [...texts].map(([file, text]) => readSource(file, text));
  return [
    ...sources.flatMap((source) => [...brokenImports(source), ...brokenShape(source)]),
    ...cycles(sources),
  ];
}

function brokenImports(source: Source): string[] {
  const { file } = source;
  return source.imports.flatMap(({ to, specifier, typesOnly }) => {
    const broken = importRules
      .filter((rule) => rule.from.test(file) && rule.banned.test(to) && rule.except?.test(to) !== true)
      .filter((rule) => !typesOnly || rule.types?.test(to) !== true)
      .map((rule) => rule.because);
    if (isInLaterRoom(file, to)) broken.push("a room imports only rooms that stand before it");
    if (specifier.startsWith(".") && to.split("/")[0] !== file.split("/")[0]) {
      broken.push("another top folder is imported by its alias");
    }
    return broken.map((because) => `${file} imports ${to}, but ${because}`);
  });
}

function isInLaterRoom(file: string, to: string): boolean {
  const [from, target] = [roomOf(file), roomOf(to)];
  return from !== undefined && target !== undefined && rooms.indexOf(target) > rooms.indexOf(from);
}

function brokenShape({ file, lines, readsEnvironment, handlerLines }: Source): string[] {
  const broken: string[] = [];
  const room = roomOf(file);
  if (room !== undefined && !rooms.includes(room)) broken.push(`is in src/${room}, which is no known room`);
  if (bannedNames.test(file)) broken.push("is named after nothing; name it for its noun or its verb");
  if (readsEnvironment && file !== "src/settings/env.ts")
    broken.push("reads the environment; only src/settings/env.ts does");
  if (file.startsWith("jobs/workers/") && lines > WORKER_LINES_MAX) {
    broken.push(`has ${lines} lines; a worker has at most ${WORKER_LINES_MAX}`);
  }
  const longest = Math.max(0, ...handlerLines);
  if (/^src\/.*routes\.tsx?$/.test(file) && longest > HANDLER_LINES_MAX) {
    broken.push(`has a route handler of ${longest} lines; at most ${HANDLER_LINES_MAX}`);
  }
  return broken.map((what) => `${file} ${what}`);
}

function roomOf(file: string): string | undefined {
  return /^src\/([^/]+)\//.exec(file)?.[1];
}

/** Every ring of files that import each other, told once, from the first file that closes it. */
function cycles(sources: Source[]): string[] {
  const importsOf = new Map(sources.map(({ file, imports }) => [file, imports.map(({ to }) => to)]));
  const finished = new Set<string>();
  const found: string[] = [];
  function walk(file: string, way: string[]): void {
    if (finished.has(file)) return;
    const start = way.indexOf(file);
    if (start >= 0) return void found.push([...way.slice(start), file].join(" -> "));
    for (const next of importsOf.get(file) ?? []) walk(next, [...way, file]);
    finished.add(file);
  }
  for (const { file } of sources) walk(file, []);
  return found.map((ring) => `${ring} is a cycle`);
}
