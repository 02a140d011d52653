import { type PlanColumn, planColumns } from "#src/show/blueprints/plan-text/columns.ts";
import { problemsIn } from "#src/show/blueprints/plan-text/plan-reading.ts";
import { readPlanText } from "#src/show/blueprints/plan-text/read-plan-text.ts";

/** What was read: the given texts of each action, after its line; or its problems. */
export function readBack(text: string) {
  const { lines, leftOut, fault } = readPlanText(text);
  return {
    actions: lines.map((line) => {
      const problems = problemsIn(line);
      const given = planColumns.map((column: PlanColumn) => line.texts[column]);
      return problems.length > 0
        ? `${line.line}! ${problems.join("; ")}`
        : `${line.line}: ${given.join(" | ").replace(/( \| )+$/, "")}`;
    }),
    leftOut: leftOut.map(({ line, text: left, why }) => `${line}: ${left} (${why})`),
    fault,
  };
}

/** The actions of a text, all of which were read. */
export const actionsIn = (text: string) => readBack(text).actions;

/** The texts of an action, with the right answer of a quiz as the host's note. */
export const answered = (action: string, answer: string) =>
  `${action}${" | ".repeat(planColumns.indexOf("hostNote") + 1 - action.split(" | ").length)}Answer: ${answer}`;
