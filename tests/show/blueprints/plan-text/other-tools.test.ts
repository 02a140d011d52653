import { expect, test } from "bun:test";
import { actionsIn, answered, readBack } from "./pasted-texts.ts";

const rain = "Rain? | Wet | Dry | 45";
const snow = "Snow? | Yes | No | 20";
const withWagers = [`2: ${rain} |  | 1 | 5`, `3: ${snow} |  | 2 | 10`];

const rows = "Rain?;Wet;Dry;45;1;5\nSnow?;Yes;No;20;2;10";
test.each([
  "Frage;Antwort A;Antwort B;Zeit (Sek.);Mindesteinsatz;Höchsteinsatz",
  "Frage;Antwort 1;Antwort 2;Dauer in Sekunden;Mindesteinsatz;Hoechsteinsatz",
  "Question;Réponse 1;Réponse 2;Durée (s);Mise min.;Mise max.",
  "Question;Vrai;Faux;Temps;Mise minimale;Mise maximale",
  "Pregunta;Respuesta 1;Respuesta 2;Tiempo (seg.);Apuesta mínima;Apuesta máxima",
  "Domanda;Risposta A;Risposta B;Durata;Puntata minima;Puntata massima",
  "Pergunta;Opção 1;Opção 2;Duração (s);Aposta mínima;Aposta máxima",
  "Vraag;Antwoord 1;Antwoord 2;Tijd (sec);Minimum inzet;Maximum inzet",
  "Question;Yes label;No label;Time limit (sec);Min bet;Max bet",
])("headers of a country are read with all their columns: %s", (header) =>
  expect(actionsIn(`${header}\n${rows}`)).toEqual(withWagers),
);

test.each(["Time (min)", "Zeit in Minuten", "Durée (min.)", "Tempo (minuti)", "Minutes", "time_in_minutes"])(
  "minutes of %j are no seconds",
  (name) => {
    expect(actionsIn(`Question;${name}\nRain?;1\nSnow?;1,5\nSun?;30 s`)).toEqual([
      "2: Rain? |  |  | 1 min",
      "3: Snow? |  |  | 1,5 min",
      "4: Sun? |  |  | 30 s",
    ]);
  },
);

test("a result may be named by its label, and both labels must differ", () => {
  expect(actionsIn("Question;True;False;Result label;Result\nRain?;Yes;No;;no\nSnow?;Yes;No;;maybe")).toEqual(
    [
      "2: Rain? | Yes | No |  |  |  |  |  |  | no",
      '3! Result is "maybe"; write "true", "false", "random", or nothing',
    ],
  );
  expect(actionsIn("Rain? | Yes | yes")).toEqual(["1! False Label must differ from the True Label"]);
  expect(actionsIn("Rain? | False")).toEqual(["1! False Label must differ from the True Label"]);
});

test("the template of Kahoot, where each question with more than two answers is named", () => {
  const header =
    "\tQuestion - max 120 characters\tAnswer 1 - max 75 characters\tAnswer 2 - max 75 characters\tAnswer 3 - max 75 characters\tAnswer 4 - max 75 characters\tTime limit (sec) – 5, 10, 20, 30, 60, 90, 120, or 240 secs\tCorrect answer(s) - choose at least one";
  expect(readBack(`${header}\n1\tRain?\tWet\tDry\t\t\t45\t1\n2\tWho?\tA\tB\tC\tD\t20\t2`)).toMatchObject({
    actions: [`2: ${answered(rain, "Wet")}`, "3! It has 4 answers, and an action has two"],
    leftOut: [
      expect.stringContaining("the header"),
      expect.stringContaining("Column 1 (a column that is not used)"),
    ],
  });
});

test("the template of Blooket, whose first column is called a question, too", () => {
  const header =
    '"Question #","Question Text","Answer 1","Answer 2","Answer 3\n(Optional)","Answer 4\n(Optional)","Time Limit (sec)\n(Max: 300 seconds)","Correct Answer(s)\n(Only include Answer #)"';
  const text = `"Blooket\nImport Template",,,,,,,\n${header}\n1,Rain?,Wet,Dry,,,45,1\n2,Snow?,Yes,No,,,20,2`;
  expect(actionsIn(text)).toEqual([`8: ${answered(rain, "Wet")}`, `9: ${answered(snow, "No")}`]);
  expect(actionsIn("Question,Text,A,B,Seconds\n1,Rain?,Wet,Dry,45\n2,Snow?,Yes,No,20")).toEqual([
    `2: ${rain}`,
    `3: ${snow}`,
  ]);
});

test("the template of Quizizz, whose second row explains the columns", () => {
  const header =
    "Question Text\tQuestion Type\tOption 1\tOption 2\tOption 3\tCorrect Answer\tTime in seconds\tImage Link\tAnswer explanation";
  const explained =
    "Text of the question (required)\tQuestion Type (default is Multiple Choice)\tText for option 1 (required)\tText for option 2 (required)\tText for option 3 (optional)\tIndex (required)\tTime (optional)\tLink of the image (optional)\tExplanation (optional)";
  expect(
    readBack(`${header}\n${explained}\nRain?\tMultiple Choice\tWet\tDry\t\t1\t45\t\tIt is autumn`),
  ).toEqual({
    actions: [`3: ${rain} |  |  |  |  |  |  |  | It is autumn | Answer: Wet`],
    leftOut: [
      expect.stringContaining("(the header)"),
      "1: Question Type (a column that is not used)",
      expect.stringContaining("(it explains the columns)"),
    ],
    fault: null,
  });
});

test("the template of Gimkit, whose sides do not tell which answer is right", () => {
  const text =
    "Gimkit Spreadsheet Import Template,,,,\nQuestion,Correct Answer,Incorrect Answer 1,Incorrect Answer 2 (Optional),Incorrect Answer 3 (Optional)\nRain?,Wet,Dry,,\nSnow?,No,Yes,,\nWho?,A,B,C,";
  expect(readBack(text)).toMatchObject({
    actions: [
      `3: ${answered("Rain? | Dry | Wet", "Wet")}`,
      `4: ${answered("Snow? | Yes | No", "No")}`,
      "5! It has 3 answers, and an action has two",
    ],
  });
});

test("tools without a template of columns: Crowdpurr and Mentimeter", () => {
  expect(
    actionsIn(
      "question,answer_1,answer_2,correct_answer,question_time\nRain?,Wet,Dry,1,45\nSnow?,Yes,No,2,20",
    ),
  ).toEqual([`2: ${answered(rain, "Wet")}`, `3: ${answered(snow, "No")}`]);
  expect(
    actionsIn(
      "Question type;Question;Choice 1;Choice 2;Time limit\nQuiz;Rain?;Wet;Dry;45\nQuiz;Snow?;Yes;No;20",
    ),
  ).toEqual([`2: ${rain}`, `3: ${snow}`]);
});

test("tools without a template of columns: the Open Trivia Database, with its letters of HTML", () => {
  const results = [
    {
      type: "boolean",
      difficulty: "easy",
      category: "Music",
      question: "Is &quot;D&eacute;j&agrave; vu&quot; by Beyonc&#233; &amp; Jay-Z?",
      correct_answer: "False",
      incorrect_answers: ["True"],
    },
    { type: "multiple", question: "Who?", correct_answer: "A", incorrect_answers: ["B", "C", "D"] },
  ];
  expect(readBack(JSON.stringify({ response_code: 0, results }, null, 1))).toEqual({
    actions: [
      `4: ${answered('Is "Déjà vu" by Beyoncé & Jay-Z? | True | False', "False")}`,
      "14! It has 4 answers, and an action has two",
    ],
    leftOut: [
      "1: response_code (a key that is not used)",
      "4: type (a key that is not used)",
      "4: difficulty (a key that is not used)",
      "4: category (a key that is not used)",
    ],
    fault: null,
  });
});

test("nothing that was in JSON vanishes without a line: lists of answers are labels, and what is not used is named", () => {
  const questions = [
    { text: "Rain?", options: ["Wet", "Dry"], time: 45, points: 10, tags: ["weather"] },
    { question: "Snow?", choices: [{ text: "Yes", correct: true }, { text: "No" }], time: 20 },
    { question: "Sun?", answers: { a: "Yes", b: "No" }, answer: "a", points: null },
    { title: "Wind?", question: "Storm?", labels: "Yes / No" },
  ];
  expect(readBack(JSON.stringify({ quiz: { questions, author: "Ana" }, version: 2 }))).toEqual({
    actions: [`1: ${rain}`, `1: ${snow}`, `1: ${answered("Sun? | Yes | No", "Yes")}`, "1: Wind? | Yes | No"],
    leftOut: [
      "1: version (a key that is not used)",
      "1: author (a key that is not used)",
      "1: points (a key that is not used)",
      "1: tags (a key that is not used)",
      "1: question (a key that is not used)",
    ],
    fault: null,
  });
});

test("a bar with a backslash before it is a part of a cell", () => {
  expect(
    actionsIn("| Question | True | False | Seconds |\n|---|---|---|---|\n| A \\| B? | A | B | 15 |"),
  ).toEqual(["3: A | B? | A | B | 15"]);
});

test("a column without a name is named by its place", () => {
  expect(readBack("Question,,True,False\nRain?,red,Wet,Dry").leftOut).toContain(
    "1: Column 2 (a column that is not used)",
  );
});
