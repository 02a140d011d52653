import { type Expression, type Program, type Statement, Visitor } from "oxc-parser";

/** How a file waits. */
export type Waits = {
  /** What it asserts on right after it has waited for a number of it: it may be something else by then, or still change. */
  counted: string[];
  /** True if it cleans up by Bun's own hooks, which have no bound of their own. */
  usesHooks: boolean;
};

/** Reads the waits of a file. */
export function readWaits(program: Program, text: string): Waits {
  const waits: Waits = { counted: [], usesHooks: false };
  const look = (statements: readonly Statement[]) => {
    for (const [index, statement] of statements.entries()) {
      const counted = countedBy(statement, text);
      const next = statements[index + 1];
      if (counted === null || next === undefined) continue;
      const after = text.slice(next.start, next.end);
      if (/^(await )?expect\(/.test(after) && after.includes(counted)) waits.counted.push(counted);
    }
  };
  look(program.body.filter((statement) => statement.type !== "ImportDeclaration"));
  new Visitor({
    BlockStatement: ({ body }) => look(body),
    ImportSpecifier: ({ imported }) => {
      if (imported.type === "Identifier" && /^after(Each|All)$/.test(imported.name)) waits.usesHooks = true;
    },
  }).visit(program);
  return waits;
}

/** What is counted by `await waitFor("...", () => lines.length > 0)`: `lines`. Null for another statement. */
function countedBy(statement: Statement, text: string): string | null {
  const call = awaitedBy(statement);
  if (call?.type !== "CallExpression" || call.callee.type !== "Identifier") return null;
  const [, read] = call.arguments;
  if (call.callee.name !== "waitFor" || read?.type !== "ArrowFunctionExpression") return null;
  const compared = read.body;
  if (compared.type !== "BinaryExpression" || !/^(>=?|===)$/.test(compared.operator)) return null;
  const left = text.slice(compared.left.start, compared.left.end);
  const [, inBrackets, plain] = /^(?:\(await (.+)\)|(.+))\.(?:length|size)$/.exec(left) ?? [];
  return inBrackets ?? plain ?? null;
}

function awaitedBy(statement: Statement): Expression | null {
  if (statement.type !== "ExpressionStatement" || statement.expression.type !== "AwaitExpression")
    return null;
  return statement.expression.argument;
}

/** A sentence for each broken rule about waits. */
export function brokenWaits({ file, counted, usesHooks }: Waits & { file: string }): string[] {
  if (!file.startsWith("tests/")) return [];
  return [
    ...counted.map(
      (what) => `${file} waits for a number and asserts on ${what}; untilPasses waits for what is asserted`,
    ),
    ...(usesHooks && file !== "tests/support/after-file.ts"
      ? [`${file} uses a hook without a bound; afterFile, afterTest and afterGroup have one`]
      : []),
  ];
}
