import { type Expression, type Program, type TemplateLiteral, Visitor } from "oxc-parser";

/** How a file gets at programs. */
export type Programs = {
  /** True if it asks the path for a program. */
  asksPath: boolean;
  /** The names by which it runs programs that it has not looked for. */
  bareNames: string[];
};

/** What every Debian has, also one with nothing else, and the files of this project. `ps` is for the other systems. */
const onEveryMachine = /^(\/bin\/)?(ba)?sh$|^(cp|rm|tar|kill|mount|umount|ps)$|^(src|jobs|tests)\//;
/** These read or write the history of the checkout, and some say so where there is none. */
const isGitOf = (file: string, name: string) =>
  name === "git" &&
  /^tests\/(bench\/run|prove\/(run|find-void)|upgrade\/(release|take-release))\.ts$/.test(file);

/** What runs its first argument, a list of a program and its words. `run` is how tests name their own. */
const runners = new Set(["spawn", "spawnSync", "startWatchdog", "run"]);

/** Reads which programs a file runs by their bare name, and whether it asks the path for one. */
export function readPrograms(program: Program): Programs {
  const programs: Programs = { asksPath: false, bareNames: [] };
  const values = new Map<string, Expression>();
  const commands: Expression[] = [];
  const shells: { tag: Expression; quasi: TemplateLiteral }[] = [];
  new Visitor({
    VariableDeclarator: ({ id, init }) => {
      if (id.type === "Identifier" && init !== null) values.set(id.name, init);
    },
    MemberExpression: ({ object, property }) => {
      const isOfBun = object.type === "Identifier" && object.name === "Bun";
      if (isOfBun && property.type === "Identifier" && property.name === "which") programs.asksPath = true;
    },
    ImportSpecifier: ({ imported }) => {
      if (imported.type === "Identifier" && imported.name === "which") programs.asksPath = true;
    },
    CallExpression: ({ callee, arguments: [first] }) => {
      if (first === undefined || first.type === "SpreadElement") return;
      const named = callee.type === "MemberExpression" ? callee.property : callee;
      if (named.type !== "Identifier") return;
      // A method of that name may be anything.
      if (callee.type === "MemberExpression" && named.name === "run") return;
      if (named.name === "launch") commands.push(...commandIn(first));
      else if (runners.has(named.name) && first.type !== "Literal") commands.push(first);
    },
    TaggedTemplateExpression: ({ tag, quasi }) => void shells.push({ tag, quasi }),
  }).visit(program);
  const isShell = (tag: Expression): boolean => {
    if (tag.type === "MemberExpression" || tag.type === "CallExpression")
      return isShell(tag.type === "CallExpression" ? tag.callee : tag.object);
    if (tag.type !== "Identifier") return false;
    const value = values.get(tag.name);
    return tag.name === "$" || (value !== undefined && value !== tag && isShell(value));
  };
  programs.bareNames.push(
    ...commands.flatMap((command) => firstWord(command, values)),
    ...shells.filter(({ tag }) => isShell(tag)).flatMap(({ quasi }) => wordsOf(quasi)),
  );
  return programs;
}

/** The command in the options of a server. */
function commandIn(options: Expression): Expression[] {
  if (options.type !== "ObjectExpression") return [];
  return options.properties.flatMap((property) =>
    property.type === "Property" && property.key.type === "Identifier" && property.key.name === "command"
      ? [property.value]
      : [],
  );
}

/** The first word of a list that stands in the file, through its variables. */
function firstWord(command: Expression, values: ReadonlyMap<string, Expression>): string[] {
  if (command.type === "Identifier") {
    const value = values.get(command.name);
    return value === undefined
      ? []
      : firstWord(value, new Map([...values].filter(([, each]) => each !== value)));
  }
  if (command.type === "Literal") return typeof command.value === "string" ? [command.value] : [];
  if (command.type !== "ArrayExpression") return [];
  const [first] = command.elements;
  if (first === undefined || first === null) return [];
  return firstWord(first.type === "SpreadElement" ? first.argument : first, values);
}

/** The programs of a line of Bun's shell: what stands at its start and behind each sign that joins commands. */
function wordsOf({ quasis }: TemplateLiteral): string[] {
  const line = quasis.map(({ value }) => value.cooked ?? "").join("\0");
  return line
    .split(/&&|\|\|?|;/)
    .flatMap((part) => /^\s*(?:[A-Z_]+=\S* )*([\w./-]+)(?=\s|$)/.exec(part)?.[1] ?? []);
}

/** A sentence for each broken rule about programs. */
export function brokenLooks({ file, asksPath, bareNames }: Programs & { file: string }): string[] {
  const notFound = bareNames.filter((name) => !onEveryMachine.test(name) && !isGitOf(file, name)).join(", ");
  return [
    ...(asksPath && file !== "db/embedded/find-program.ts"
      ? [`${file} asks the path for a program; only db/embedded/find-program.ts does`]
      : []),
    ...(file.startsWith("tests/") && notFound !== ""
      ? [`${file} runs ${notFound} by name; a test gets a program from requireProgram or findProgram`]
      : []),
  ];
}
