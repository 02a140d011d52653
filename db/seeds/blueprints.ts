import { type DemoPicture, octopus, rivers } from "./question-pictures.ts";

/** A question of a blueprint. The default labels are True and False. */
export type DemoQuestion = {
  title: string;
  description?: string;
  trueLabel?: string;
  falseLabel?: string;
  durationSeconds?: number;
  maxWagerDollars?: number;
  picture?: DemoPicture;
  explanation?: string;
  hostNote?: string;
};

export type DemoBlueprint = {
  name: string;
  description: string;
  questions: readonly DemoQuestion[];
  /** The names of the teams of its sessions; none if left out. */
  teams?: readonly string[];
};

const sportsNight: DemoBlueprint = {
  name: "Sports night",
  description: "Ninety minutes on the big screen, called one moment at a time.",
  questions: [
    { title: "Who takes the kick-off?", trueLabel: "Home", falseLabel: "Away", durationSeconds: 60 },
    { title: "Is there a goal in the first 15 minutes?", trueLabel: "Goal", falseLabel: "No goal" },
    { title: "What comes first, a corner or a free kick?", trueLabel: "Corner", falseLabel: "Free kick" },
    { title: "Is a yellow card shown before half-time?", trueLabel: "Yes", falseLabel: "No" },
    {
      title: "Will this penalty go in?",
      description: "Saved, wide and over the bar all count as a miss.",
      trueLabel: "Scores",
      falseLabel: "Misses",
      durationSeconds: 20,
      maxWagerDollars: 20,
    },
    { title: "Will the next substitution be made by the home side?", trueLabel: "Home", falseLabel: "Away" },
    {
      title: "At least three minutes of added time?",
      description: "As the fourth official's board shows it.",
    },
    {
      title: "Are there three goals or more at the final whistle?",
      trueLabel: "Three or more",
      falseLabel: "Two or fewer",
      durationSeconds: 90,
    },
  ],
};

const quizNight: DemoBlueprint = {
  name: "Quiz night",
  description: "Everybody thinks they know. The host has the answer in an envelope.",
  questions: [
    {
      title: "Honey kept in a sealed jar never spoils.",
      explanation: "It has too little water for anything to live in it.",
      hostNote: "True. Hold up the jar.",
    },
    {
      title: "Which is longer, the Danube or the Nile?",
      trueLabel: "Danube",
      falseLabel: "Nile",
      picture: rivers,
      explanation: "The Nile is some 6,650 km long, the Danube 2,850 km.",
      hostNote: "Nile. The picture is not to scale: do not say so before.",
    },
    {
      title: "Octopuses have three hearts.",
      picture: octopus,
      explanation: "Two of them pump blood through the gills, one through the rest of the body.",
      hostNote: "True. One of them stops while it swims.",
    },
    {
      title: "Which came first, the telephone or the fax machine?",
      trueLabel: "Telephone",
      falseLabel: "Fax",
      explanation: "Alexander Bain's fax is of 1843, Bell's telephone of 1876.",
    },
    {
      title: "A day on Venus is shorter than its year.",
      explanation: "Venus turns once in 243 of our days, and is round the sun in 225.",
      hostNote: "False. A day is a turn, not from noon to noon.",
    },
    { title: "Bananas are berries, botanically speaking.", explanation: "And strawberries are none." },
    {
      title: "The Eiffel Tower is taller in summer than in winter.",
      explanation: "The iron expands: by up to 15 cm.",
    },
    { title: "Lightning never strikes the same place twice.", hostNote: "False." },
    {
      title: "Has Scotland more than 500 islands?",
      trueLabel: "More",
      falseLabel: "Fewer",
      explanation: "Some 790, of which 93 have people on them.",
    },
    {
      title: "Does our team finish the bonus round in under a minute?",
      description: "Timed by the host's stopwatch, ten questions, no passes.",
      trueLabel: "Under a minute",
      falseLabel: "Over",
      durationSeconds: 45,
    },
  ],
};

const officeFriday: DemoBlueprint = {
  name: "Office Friday",
  description: "Small bets on the kettle, the weather and the lift.",
  questions: [
    {
      title: "Will it rain on the terrace before 17:00?",
      trueLabel: "Rain",
      falseLabel: "Dry",
      durationSeconds: 120,
    },
    { title: "Which kettle boils first?", trueLabel: "Blue kettle", falseLabel: "Red kettle" },
    { title: "Does the toast land butter side down?", description: "One slice, one metre, one throw." },
    { title: "Is the next e-mail a meeting invitation?", trueLabel: "Meeting", falseLabel: "Anything else" },
    { title: "Which lift comes first?", trueLabel: "Left", falseLabel: "Right", durationSeconds: 15 },
    { title: "Will the soufflé still stand after five minutes?", trueLabel: "Stands", falseLabel: "Sinks" },
    {
      title: 'Does somebody say "quick question" in the stand-up?',
      trueLabel: "Of course",
      falseLabel: "No",
    },
    { title: "Is the parcel here before lunch?", trueLabel: "Before", falseLabel: "After" },
  ],
};

const DAY_SECONDS = 86_400;

const matchDay: DemoBlueprint = {
  name: "Match day picks",
  description: "What is called in the days before a match.",
  questions: [
    {
      title: "Who wins the derby?",
      trueLabel: "Home",
      falseLabel: "Away",
      durationSeconds: 6 * DAY_SECONDS,
    },
    {
      title: "Is the cup final decided on penalties?",
      trueLabel: "Penalties",
      falseLabel: "Before",
      durationSeconds: 12 * DAY_SECONDS,
    },
  ],
};

export const demoBlueprints: readonly DemoBlueprint[] = [sportsNight, quizNight, officeFriday, matchDay];

/** The blueprint of the demo's automatic session: games of chance, because there is no host who decides results. */
export const rehearsalBlueprint: DemoBlueprint = {
  name: "House games",
  description: "Coins, cards and dice. It plays by itself, so that there is always something to call.",
  teams: ["Foxes", "Owls", "Bears"],
  questions: [
    { title: "How does the coin land?", trueLabel: "Heads", falseLabel: "Tails" },
    { title: "What colour is the next card?", trueLabel: "Red", falseLabel: "Black" },
    { title: "The die shows an even number." },
    {
      title: "Does the dropped toast land butter side down?",
      trueLabel: "Butter down",
      falseLabel: "Butter up",
    },
    { title: "Which marble reaches the bottom first?", trueLabel: "Glass", falseLabel: "Steel" },
    {
      title: "The number drawn from the hat is above 50.",
      description: "A hundred slips, 1 to 100, one draw.",
    },
    { title: "Which way does the spinning top fall?", trueLabel: "Left", falseLabel: "Right" },
    { title: "Will the paper plane clear the doorway?", trueLabel: "Clears it", falseLabel: "Hits it" },
    { title: "Which box does the cat choose?", trueLabel: "Big box", falseLabel: "Small box" },
    { title: "Two dice add up to an odd number." },
    { title: "Which snail crosses the line first?", trueLabel: "Turbo", falseLabel: "Gary" },
    { title: "Last one: does the wheel stop on gold?", trueLabel: "Gold", falseLabel: "Silver" },
  ],
};

/** The timing of the rehearsal. Its results come with the close, so the wait counts from there: first the result, then the next question. */
export const REHEARSAL_LEAD_SECONDS = 10;
export const REHEARSAL_WAIT_SECONDS = 8;
export const REHEARSAL_DURATION_SECONDS = 20;
export const REHEARSAL_RESOLVE_WITHIN_SECONDS = 0;
