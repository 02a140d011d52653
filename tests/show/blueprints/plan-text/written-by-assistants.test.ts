import { expect, test } from "bun:test";
import { assistantPrompt } from "#client/blueprints/assistant-prompt.ts";
import { actionsIn, answered, readBack } from "./pasted-texts.ts";

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
test.each(Object.entries(lists))("%s", (_, list) => {
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
])("labels and time behind a question %j", (list, expected) => {
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
