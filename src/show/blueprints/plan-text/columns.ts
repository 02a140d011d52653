// Decision: the files of this folder read and name the columns of a plan for the browser's preview and for the server alike, so
// that what is previewed is what is added. They import contracts, lists and two parsers; the browser has them with the admin screens.

/** What a plan in text says about an action, in the order of columns without a header. */
export const planColumns = [
  "title",
  "trueLabel",
  "falseLabel",
  "durationSeconds",
  "startMode",
  "minWager",
  "maxWager",
  "offsetSeconds",
  "resolveWithinSeconds",
  "autoResult",
  "description",
] as const;
export type PlanColumn = (typeof planColumns)[number];

/** The texts of an action's columns; empty where nothing is given. */
export type PlanTexts = Record<PlanColumn, string>;

/** The header of an exported CSV file. A file that begins with exactly this is read without any guess. */
export const columnNames: PlanTexts = {
  title: "question",
  trueLabel: "true label",
  falseLabel: "false label",
  durationSeconds: "seconds",
  startMode: "start",
  minWager: "min",
  maxWager: "max",
  offsetSeconds: "wait",
  resolveWithinSeconds: "result within",
  autoResult: "result",
  description: "description",
};

/** Other names of columns in headers, and of keys in JSON, without blanks and punctuation. */
const otherNames: Record<PlanColumn, string> = {
  title: "q title questions questiontext thequestion action prediction event prompt text frage",
  trueLabel: "true yes ja a optiona option1 answera answer1 left labeltrue yeslabel truelabels",
  falseLabel: "false no nein b optionb option2 answerb answer2 right labelfalse nolabel falselabels",
  durationSeconds:
    "sec secs s duration durationseconds durationinseconds time timeinseconds timelimit timer openfor openforseconds sekunden dauer zeit",
  startMode: "starts startmode",
  minWager: "minimum minwager minbet leastwager",
  maxWager: "maximum maxwager maxbet mostperplayer",
  offsetSeconds: "waitseconds offset offsetseconds pause",
  resolveWithinSeconds: "resultwithinseconds resolvewithin resolvewithinseconds",
  autoResult: "autoresult",
  description: "details hint notes note",
};

const byName = new Map<string, PlanColumn>(
  planColumns.flatMap((column) =>
    [plainName(columnNames[column]), ...otherNames[column].split(" ")].map((name) => [name, column] as const),
  ),
);
const numbering = /^(?:#|no\.|nr\.?|n|n°|number|id|position|pos\.?|\u2116)$/i;

/** The column of a name in a header, also with a remark after it: "Time (s)", "Answer 1 - max 75 characters". Null if it is not known. */
export function columnNamed(name: string): PlanColumn | null {
  const bare = name.replaceAll(/\([^()]*\)|\[[^[\]]*\]/g, "").replace(/\s[-–—:].*$/s, "");
  return byName.get(plainName(name)) ?? byName.get(plainName(bare)) ?? null;
}

/** True for the name of a column that only numbers the rows. */
export function namesNumbering(name: string): boolean {
  return numbering.test(name.trim());
}

/** No texts at all. */
export function noTexts(): PlanTexts {
  const texts = { ...columnNames };
  for (const column of planColumns) texts[column] = "";
  return texts;
}

/** How a problem names a column: "Question can't be blank". */
export const columnLabels: PlanTexts = {
  title: "Question",
  trueLabel: "True Label",
  falseLabel: "False Label",
  durationSeconds: "Duration",
  startMode: "Starts",
  minWager: "Least wager",
  maxWager: "Most per player",
  offsetSeconds: "Wait",
  resolveWithinSeconds: "Result within",
  autoResult: "Result",
  description: "Description",
};

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
}
