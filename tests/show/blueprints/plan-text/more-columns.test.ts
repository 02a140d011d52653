import { expect, test } from "bun:test";
import { columnNames, planColumns } from "#src/show/blueprints/plan-text/columns.ts";
import { readPlanText } from "#src/show/blueprints/plan-text/read-plan-text.ts";

test("lists name what more there is in seven languages and as other tools do, and a named file is left out with a line", () => {
  const header = columnNames.title;
  const heads = [
    ["explanation", "host note"],
    ["fun fact", "presenter notes"],
    ["Erklärung", "Notizen"],
    ["Explication", "Remarque"],
    ["Explicación", "Notas"],
    ["Spiegazione", "Appunti"],
    ["Explicação", "Observação"],
    ["Uitleg", "Opmerking"],
  ];
  for (const head of heads) {
    const [line] = readPlanText(`${[header, ...head].join("\t")}\nRain?\tIt is autumn\tTrue`).lines;
    expect([head, line?.texts.explanation, line?.texts.hostNote]).toEqual([head, "It is autumn", "True"]);
  }
  const read = readPlanText("question,image,alt text\nRain?,rain.png,A cloud\nSnow?,,");
  expect(read.lines.map(({ texts }) => [texts.picture, texts.pictureAlt])).toEqual([
    ["", ""],
    ["", ""],
  ]);
  expect(read.leftOut.slice(1).map(({ line, text, why }) => [line, text, why])).toEqual([
    [2, "rain.png", "pictures are added in the editor"],
    [2, "A cloud", "pictures are added in the editor"],
  ]);
  const before = planColumns.slice(0, 11).map((column) => columnNames[column]);
  const [old] = readPlanText(`${before.join(",")}\n1. Rain?,Yes,No,30,by hand,1,,0,60,,Old`).lines;
  expect(old?.texts).toMatchObject({ title: "1. Rain?", description: "Old", explanation: "" });
});
