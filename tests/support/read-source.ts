import path from "node:path";
import { type Argument, type ArrowFunctionExpression, parseSync, Visitor } from "oxc-parser";
import { type Programs, readPrograms } from "./read-programs.ts";
import { readWaits, type Waits } from "./read-waits.ts";

/** One source file, with the facts that the structure rules need. */
export type Source = Programs &
  Waits & {
    file: string;
    lines: number;
    /** Its imports, re-exports and dynamic imports: a path from the top of the project, or the name of a package. */
    imports: { to: string; specifier: string; typesOnly: boolean }[];
    /** True if it reads the environment: process.env, Bun.env or import.meta.env. */
    readsEnvironment: boolean;
    /** The number of lines of each handler of an endpoint: a function in what endpoint() gets. */
    handlerLines: number[];
  };

/** Parses the text of a file. The file need not exist. */
export function readSource(file: string, text: string): Source {
  const { module, program } = parseSync(file, text);
  const specifiers = [
    ...module.staticImports.map((entry) => entry.moduleRequest.value),
    ...module.dynamicImports.map((entry) =>
      text.slice(entry.moduleRequest.start + 1, entry.moduleRequest.end - 1),
    ),
    ...module.staticExports.flatMap((entry) =>
      entry.entries.flatMap((part) => part.moduleRequest?.value ?? []),
    ),
  ];
  const typesOnly = new Set(
    module.staticImports
      .filter(({ entries }) => entries.length > 0 && entries.every(({ isType }) => isType))
      .map((entry) => entry.moduleRequest.value),
  );
  const source: Source = {
    file,
    lines: text.trimEnd().split("\n").length,
    imports: [...new Set(specifiers)].map((specifier) => ({
      specifier,
      to: resolve(file, specifier),
      typesOnly: typesOnly.has(specifier),
    })),
    readsEnvironment: module.staticImports.some(takesEnvironment),
    handlerLines: [],
    ...readPrograms(program),
    ...readWaits(program, text),
  };
  const linesOf = ({ body }: ArrowFunctionExpression) => linesIn(text.slice(body.start, body.end));
  new Visitor({
    MemberExpression: (node) => {
      if (node.computed || node.property.type !== "Identifier" || node.property.name !== "env") return;
      const owner = text.slice(node.object.start, node.object.end);
      if (/^(globalThis\.)?(process|Bun)$|^import\.meta$/.test(owner)) source.readsEnvironment = true;
    },
    CallExpression: ({ callee, arguments: given }) => {
      if (callee.type !== "Identifier" || callee.name !== "endpoint") return;
      source.handlerLines.push(...given.flatMap((argument) => handlersIn(argument).map(linesOf)));
    },
  }).visit(program);
  return source;
}

/** True for `import { env } from "process"`. */
function takesEnvironment(entry: {
  moduleRequest: { value: string };
  entries: { importName: { name?: string | null } }[];
}): boolean {
  const fromRuntime = ["bun", "process", "node:process"].includes(entry.moduleRequest.value);
  return fromRuntime && entry.entries.some((part) => part.importName.name === "env");
}

function handlersIn(argument: Argument): ArrowFunctionExpression[] {
  if (argument.type !== "ObjectExpression") return [];
  return argument.properties.flatMap((property) =>
    property.type === "Property" && property.value.type === "ArrowFunctionExpression" ? [property.value] : [],
  );
}

function linesIn(body: string): number {
  const lines = body.split("\n").length;
  return body.startsWith("{") ? Math.max(lines - 2, 1) : lines;
}

function resolve(file: string, specifier: string): string {
  if (specifier.startsWith("#")) return specifier.slice(1);
  if (specifier.startsWith(".")) return path.join(path.dirname(file), specifier);
  return specifier;
}
