import { brokenLooks } from "./read-programs.ts";
import { readSource, type Source } from "./read-source.ts";
import { brokenWaits } from "./read-waits.ts";

/**
 * The rooms of src, lowest first, each with its folders, lowest first ("." is the room itself). A file imports only from its own
 * folder and from those before it.
 */
export const rooms: readonly [room: string, folders: string][] = [
  ["settings", "."],
  ["base", ". outbox streams switches"],
  ["http", "."],
  ["mail", "."],
  [
    "people",
    "avatars sign-ins invitations users storage pictures notifications passkeys oidc access-tokens push",
  ],
  ["money", "wallet spending payments"],
  ["play", ". spots calls leaderboard seasons teams chat settlements"],
  [
    "show",
    "brands site events timers sessions session-hosts hosting join-codes stage docks embeds front-door reminders blueprints results-sheet",
  ],
  ["dry-runs", "."],
  ["profiles", "."],
  ["shares", "."],
  ["replays", "."],
  ["books", "."],
  ["webhooks", "."],
  ["live", "relay reactions cable"],
  ["operate", "audit switches work checks alerts operations health metrics"],
  ["pages", "page-read ssr"],
  ["api", "."],
  ["backup", "."],
  ["run", "."],
];

const srcOrder = [
  ...rooms.flatMap(([room, folders]) => folders.split(" ").map((folder) => folderOf(room, folder))),
  "src",
];

/** The layers of client, lowest first; the nouns are between ui and screens. A screen imports no other screen. */
const clientOrder = (
  "base/browser base/api base/page base/format base/live base/delay base/deferred ui install sign-ins passkeys wallet " +
  "spending payments sessions share leaderboard teams calls notifications events join-codes front-door sound-and-vibration results " +
  "card chat blueprints running-order screens app"
)
  .split(" ")
  .map((layer) => `client/${layer}`);

/** Folders of client that hold no code of the browser. */
const clientAside = /^client\/(build|styles|fonts)\//;

/** The files at the top of src: the web process and its server. */
const topFiles = ["src/main.ts", "src/server.ts"];

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

const contract = /^src\/.+\/contract\.ts$/;
/** The reader of plans in text, which runs in the browser as well. */
const planText = /^src\/show\/blueprints\/plan-text\//;
const schemas = /^src\/.+\/schemas\.ts$/;
const erased = /^src\/.+\/(schemas|([\w-]+-)?endpoints?)\.ts$/;
const processes = /^src\/main\.ts$|^src\/run\/(start|migrate|reconcile|admin)\.ts$|^jobs\/main\.ts$/;

const importRules: ImportRule[] = [
  {
    from: /^client\//,
    banned: /^(src|db|jobs|tests)\//,
    except: /^src\/.+\/contract\.ts$|^src\/show\/blueprints\/plan-text\/|^db\/lists\//,
    types: erased,
    because: "client knows contracts, lists and the reader of plans, and the types of schemas and endpoints",
  },
  { from: /^client\//, banned: /^valibot$/, because: "only the server checks data" },
  {
    from: contract,
    banned: /./,
    except: /^src\/.+\/contract\.ts$|^db\/lists\//,
    because: "a contract imports contracts and lists, and no valibot",
  },
  {
    from: planText,
    banned: /./,
    except:
      /^src\/show\/blueprints\/plan-text\/|^src\/.+\/contract\.ts$|^db\/lists\/|^(papaparse|jsonc-parser)$/,
    because: "the reader of plans imports itself, contracts, lists and its two parsers",
  },
  {
    from: schemas,
    banned: /./,
    except: /^valibot$|^src\/.+\/(contract|schemas)\.ts$|^db\/lists\//,
    because: "a schema imports valibot, schemas, contracts and lists",
  },
  { from: /^db\//, banned: /^(src|jobs|client|tests)\//, because: "db is the bottom layer" },
  { from: /^src\/(?!main\.ts$)/, banned: /^jobs\//, because: "src enqueues through base/queues.ts" },
  {
    from: /^src\/main\.ts$/,
    banned: /^jobs\//,
    except: /^jobs\/dashboard\.ts$/,
    because: "the web process hands the server the queue dashboard, and knows no more of jobs",
  },
  { from: /^(src\/(?!pages\/)|jobs\/)/, banned: /^client\//, because: "only src/pages renders the client" },
  {
    from: /^jobs\/workers\.ts$/,
    banned: /^src\/.+\/(([\w-]+-)?endpoints|present-[^/]+)\.ts$|^elysia$|^@elysiajs\//,
    because: "a worker calls verbs, not HTTP",
  },
  {
    from: /^(?!db\/(ledger|schema)\/|tests\/)/,
    banned: /^db\/schema\/(ledger|accounts)\.ts$/,
    because: "only db/ledger touches the ledger's tables",
  },
  {
    from: /^(?!jobs\/|tests\/|src\/base\/queues\.ts$)/,
    banned: /^bullmq$|^@bull-board\//,
    because: "only jobs and base/queues.ts know BullMQ",
  },
  { from: /^(?!tests\/)/, banned: /^tests\//, because: "nothing imports tests" },
  { from: /./, banned: processes, because: "nothing imports what starts a process" },
  {
    from: /^(?!tests\/|src\/main\.ts$)/,
    banned: /^src\/server\.ts$/,
    because: "only main and tests make the server",
  },
];

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
    ...sources.flatMap((source) => [
      ...brokenImports(source),
      ...brokenForm(source),
      ...brokenLooks(source),
      ...brokenWaits(source),
    ]),
    ...cycles(sources),
    ...longStyles(texts),
  ];
}

function longStyles(texts: ReadonlyMap<string, string>): string[] {
  return [...texts].flatMap(([file, text]) => {
    const lines = text.trimEnd().split("\n").length;
    if (!file.endsWith(".css") || lines <= STYLE_LINES_MAX) return [];
    return [`${file} has ${lines} lines; a style sheet has at most ${STYLE_LINES_MAX}`];
  });
}

function brokenImports(source: Source): string[] {
  const { file } = source;
  return source.imports.flatMap(({ to, specifier, typesOnly }) => {
    const broken = importRules
      .filter((rule) => rule.from.test(file) && rule.banned.test(to) && rule.except?.test(to) !== true)
      .filter((rule) => !typesOnly || rule.types?.test(to) !== true)
      .map((rule) => rule.because);
    if (isLater(srcOrder, file, to) && to !== "src/server.ts")
      broken.push("a room imports only rooms before it");
    if (isLater(clientOrder, file, to)) broken.push("the client imports downwards only");
    if (isOtherScreen(file, to)) broken.push("a screen imports no other screen");
    if (specifier.startsWith(".") && to.split("/")[0] !== file.split("/")[0]) {
      broken.push("another top folder is imported by its alias");
    }
    return broken.map((because) => `${file} imports ${to}, but ${because}`);
  });
}

/** Another rule says which files import the server. */
function isLater(order: readonly string[], file: string, to: string): boolean {
  const [from, target] = [positionIn(order, file), positionIn(order, to)];
  return from >= 0 && target > from;
}

/** The position of a file's folder in an order: that of the longest folder which holds the file; -1 for none. */
function positionIn(order: readonly string[], file: string): number {
  let best = -1;
  for (const [index, folder] of order.entries())
    if (file.startsWith(`${folder}/`) && folder.length > (order[best]?.length ?? 0)) best = index;
  return best;
}

function isOtherScreen(file: string, to: string): boolean {
  const [from, target] = [screenOf(file), screenOf(to)];
  return from !== undefined && target !== undefined && from !== target;
}

function screenOf(file: string): string | undefined {
  return /^client\/screens\/([^/]+)/.exec(file)?.[1];
}

function brokenForm({ file, readsEnvironment, handlerLines }: Source): string[] {
  const broken: string[] = [];
  const isListed = positionIn(srcOrder, file) < srcOrder.length - 1 || topFiles.includes(file);
  if (file.startsWith("src/") && !isListed)
    broken.push("is in no room of src; move it into one, or add the room to the list");
  const isLayer = positionIn(clientOrder, file) >= 0 || clientAside.test(file);
  if (file.startsWith("client/") && !isLayer)
    broken.push("is in no layer of client; move it into one, or add the noun to the list");
  if (readsEnvironment && file !== "src/settings/env.ts")
    broken.push("reads the environment; only src/settings/env.ts does");
  const longest = Math.max(0, ...handlerLines);
  if (file.startsWith("src/") && longest > HANDLER_LINES_MAX) {
    broken.push(`has a handler of ${longest} lines; at most ${HANDLER_LINES_MAX}`);
  }
  return broken.map((what) => `${file} ${what}`);
}

function folderOf(room: string, folder: string): string {
  return folder === "." ? `src/${room}` : `src/${room}/${folder}`;
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
