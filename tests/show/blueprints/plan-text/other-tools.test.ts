import { expect, test } from "bun:test";
import { assistantPrompt } from "#client/blueprints/assistant-prompt.ts";
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

test("lists of tools without a template of columns are read: Crowdpurr and Mentimeter", () => {
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

test("lists of tools without a template of columns are read: the Open Trivia Database, with its letters of HTML", () => {
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
    actions: [
      `1: ${rain}`,
      `1: ${answered(snow, "Yes")}`,
      `1: ${answered("Sun? | Yes | No", "Yes")}`,
      "1: Wind? | Yes | No",
    ],
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

test("an answer of JSON that is marked as the right one is the host's note, and what else is said of an answer is named", () => {
  const marked = (...marks: object[]) => ({
    question: "Rain?",
    answers: ["Wet", "Dry"].map((text, index) => ({ text, ...marks[index] })),
    time: 45,
  });
  const questions = [
    marked({ correct: false }, { correct: true }),
    marked({ isCorrect: true }, { isCorrect: false }),
    { ...marked({ is_right: "yes", points: 2 }, { feedback: "Look again" }), answer: "Wet" },
    marked({ correct: null }, {}),
  ];
  expect(readBack(JSON.stringify(questions))).toEqual({
    actions: [
      `1: ${answered(rain, "Dry")}`,
      `1: ${answered(rain, "Wet")}`,
      `1: ${answered(rain, "Wet")}`,
      `1: ${rain}`,
    ],
    leftOut: ["1: points (a key that is not used)", "1: feedback (a key that is not used)"],
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

const two = (line: number, other: number) => [
  `${line}: Will it rain? | Yes | No | 30 seconds`,
  `${other}: Who wins the toss? | Home team | Guests | 45 seconds`,
];

const lists: Record<string, string> = {
  "numbers, bold letters and bullets":
    "1. **Will it rain?**\n   - **True:** Yes\n   - **False:** No\n   - **Time:** 30 seconds\n\n2. **Who wins the toss?**\n   - **True:** Home team\n   - **False:** Guests\n   - **Time:** 45 seconds",
  "headings with the question in them":
    "### 1. Will it rain?\n**True:** Yes\n**False:** No\n**Time limit:** 30 seconds\n### 2. Who wins the toss?\n**True:** Home team\n**False:** Guests\n**Time limit:** 45 seconds",
  "headings with a number, and the question below":
    "### Question 1\n**Question:** Will it rain?\n**Option A:** Yes\n**Option B:** No\n**Duration:** 30 seconds\n### Question 2\n**Question:** Who wins the toss?\n**Option A:** Home team\n**Option B:** Guests\n**Duration:** 45 seconds",
  "stars inside of the colon, and signs before the names":
    "**1. Will it rain?**\n✅ **True**: Yes\n❌ **False**: No\n⏱️ *Time: 30 seconds*\n\n**2. Who wins the toss?**\n✅ **True**: Home team\n❌ **False**: Guests\n⏱️ *Time: 45 seconds*",
  "all parts on one line, between bars":
    "1. Will it rain?\n   True: Yes | False: No | Time: 30 seconds\n2. Who wins the toss?\n   True: Home team | False: Guests | Time: 45 seconds",
  "all parts on one line, between commas":
    "1. Will it rain?\n   True: Yes, False: No, Time: 30 seconds\n2. Who wins the toss?\n   True: Home team, False: Guests, Time: 45 seconds",
  "both labels behind one name":
    "1. Will it rain?\n   - Options: Yes / No\n   - Time: 30 seconds\n2. Who wins the toss?\n   - Options: Home team / Guests\n   - Time: 45 seconds",
  "without numbers":
    "**Will it rain?**\nTrue: Yes\nFalse: No\nTime: 30 seconds\n\n**Who wins the toss?**\nTrue: Home team\nFalse: Guests\nTime: 45 seconds",
  "in German":
    "1. **Will it rain?**\n   - **Wahr:** Yes\n   - **Falsch:** No\n   - **Zeit:** 30 seconds\n2. **Who wins the toss?**\n   - **Wahr:** Home team\n   - **Falsch:** Guests\n   - **Zeit:** 45 seconds",
  "in French":
    "1. Will it rain?\n- Réponse A : Yes\n- Réponse B : No\n- Durée : 30 seconds\n2. Who wins the toss?\n- Réponse A : Home team\n- Réponse B : Guests\n- Durée : 45 seconds",
};

test.each(Object.entries(lists))("two questions are read with their labels and times: %s", (_, list) => {
  const { actions } = readBack(list);
  expect(actions.map((action) => action.replace(/^\d+/, "1"))).toEqual(two(1, 1));
});

test("what stands above, below and between is left out, and said", () => {
  const list =
    "Here are 2 fun prediction questions for your event:\n\n1. **Weather**\nWill it rain?\nTrue: Yes\nFalse: No\nWhy: people love the weather\n\n2. Who wins the toss?\nTrue: Home team\nFalse: Guests\nAnswer: True\n- Category: sport\n\nWould you like me to make ten more?";
  expect(readBack(list)).toEqual({
    actions: [
      "4: Will it rain? | Yes | No",
      `9: ${answered("Who wins the toss? | Home team | Guests", "Home team")}`,
    ],
    leftOut: [
      "1: Here are 2 fun prediction questions for your event: (above the list)",
      "3: 1. **Weather** (it asks nothing and has no labels)",
      "7: Why: people love the weather (it is not used)",
      "13: - Category: sport (it is not used)",
      "15: Would you like me to make ten more? (below the list)",
    ],
    fault: null,
  });
});

test.each([
  ["**1. Will it rain?** (Yes / No)\n**2. Heads or tails?** (Heads / Tails)", ["Yes | No", "Heads | Tails"]],
  [
    "1. Will it rain? (Yes/No) 30s\n2. Heads or tails? (Heads/Tails) - 45 sec",
    ["Yes | No | 30s", "Heads | Tails | 45 sec"],
  ],
  ["Will it rain? – Yes / No\nHeads or tails? - Heads / Tails", ["Yes | No", "Heads | Tails"]],
  [
    "1. Will it rain? [Yes or No] (30 seconds)\n2. Heads or tails? (Heads, Tails)",
    ["Yes | No | 30 seconds", "Heads | Tails"],
  ],
  ["1. Will it rain?\n   - Yes / No\n2. Heads or tails?\n   - Heads / Tails", ["Yes | No", "Heads | Tails"]],
  ["1. Will it rain?\n(Yes / No)\n2. Heads or tails?\n(Heads / Tails)", ["Yes | No", "Heads | Tails"]],
  ["1. Will it rain?\na) Yes b) No\n2. Heads or tails?\na) Heads b) Tails", ["Yes | No", "Heads | Tails"]],
  [
    "1. Will it rain?\n**A.** Yes\n**B.** No\n2. Heads or tails?\n**A.** Heads\n**B.** Tails",
    ["Yes | No", "Heads | Tails"],
  ],
])("labels and time behind a question are read: %j", (list, expected) => {
  const [rain = "", toss = ""] = expected;
  expect(actionsIn(list).map((action) => action.replace(/^\d+: /, ""))).toEqual([
    `Will it rain? | ${rain}`,
    `Heads or tails? | ${toss}`,
  ]);
});

test("letters below a question, and the right answer, which the host reads", () => {
  expect(readBack("Will it rain?\na. Yes\nb. No\nAnswer: a\nHeads?\na. Yes\nb. No\nAnswer: b")).toEqual({
    actions: [
      `1: ${answered("Will it rain? | Yes | No", "Yes")}`,
      `5: ${answered("Heads? | Yes | No", "No")}`,
    ],
    leftOut: [],
    fault: null,
  });
});

test("three answers are refused with the line of their question", () => {
  const fault = "It has 3 answers, and an action has two";
  expect(actionsIn("1. Who wins? (Ana / Ben / Cleo)\n2. Rain? (Yes / No)")).toEqual([
    `1! ${fault}`,
    "2: Rain? | Yes | No",
  ]);
  expect(actionsIn("1. Who wins?\n- Options: Ana, Ben, Cleo\n2. Rain?\n- Options: Yes, No")[0]).toBe(
    `1! ${fault}`,
  );
});

test("what only looks so stays in the question", () => {
  const questions = [
    "Who wins the sprint (100 m)?",
    "Will Ana (the captain) score?",
    "More than 3 goals within 30s",
    "The winner is ____?",
    "Ready? Best of three",
    "Is 2**3 = 8?",
    "AC/DC - or not?",
  ];
  expect(actionsIn(questions.join("\n"))).toEqual(questions.map((title, index) => `${index + 1}: ${title}`));
});

test("an answer to the prompt for an assistant is read as it is, with what an assistant puts around it", () => {
  const [header = ""] = /^question \|.*$/m.exec(assistantPrompt) ?? [];
  const example = assistantPrompt.split("\n").at(-1) ?? "";
  expect(actionsIn(`Sure!\n\n\`\`\`\n${header}\n${example}\n\`\`\``)).toEqual([
    "5: Will the first song be longer than four minutes? | Longer | Shorter | 30",
  ]);
});
