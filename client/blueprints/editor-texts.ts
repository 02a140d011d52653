import { countOf } from "../base/format/count.ts";

/** The texts of the editor of a blueprint. */

// Edit blueprint screen
export const nameAndSettings = "Name and settings";
export const pasteInBulk = "Paste in bulk";
export const newAction = "New Action";
export const dryRun = "Dry run";
export const generateSession = "Generate session";

// Blueprint panel
export const blueprint = "Blueprint";
export const save = "Save";
export const notSaved = "Not saved";

// Event columns
export const question = "Question";
export const trueLabel = "True Label";
export const falseLabel = "False Label";
export const starts = "Starts";
export const seconds = "Seconds";

// Event form
export const moreFields = "Limits, result, description";
export const leastWagerDollars = "Least wager, $";
export const mostPerPlayerDollars = "Most per player, $";
export const noLimit = "No limit";
export const result = "Result";
export const resultWithinSeconds = "Result within, seconds";
export const resolvesAfterHint = "Counted from its close.";
export const lateAfterHint = "Counted from its close. After that it is late.";
export const description = "Description";
export const byHand = "By hand";
export const byItself = (autoResultLabel: string) => `By itself: ${autoResultLabel}`;

// Event panel
export const action = (position: number) => `Action ${position}`;
export const add = "Add";
export const discard = "Discard";
export const remove = "Remove";
export const removeTitle = (position: number) => `Remove action ${position}?`;
export const keepIt = "Keep it";
export const removeHint = "Sessions that were made from this blueprint keep theirs.";
export const lengthOfMax = (length: number, lengthMax: number) => `${length} of ${lengthMax}`;
export const removedTitle = "Not there any more";
export const removedHint = "This action was removed.";
export const backToList = "Back to the list";

// Event row
export const moveAction = (position: number, title: string) => `Move action ${position}, ${title}`;
export const describeEvent = (
  trueLabelText: string,
  falseLabelText: string,
  secondsCount: number,
  startsText: string,
) => `${trueLabelText} or ${falseLabelText}, ${secondsCount} s, ${startsText}`;
export const move = (direction: string, title: string) => `Move ${direction}: ${title}`;

// Event start
export const openForSeconds = "Open for, seconds";
export const offsetSeconds = "Offset, seconds";
export const waitSeconds = "Wait, seconds";
export const usualDurations = "Usual durations";
export const secondsOf = (secondsCount: number) => `${secondsCount} seconds`;

// Events editor
export const actions = "Actions";
export const actionsOfMax = (count: number, eventsMax: number) => `${count} of ${eventsMax}`;
export const movedTo = (title: string, position: number, count: number) =>
  `${title}: now ${position} of ${count}.`;
export const orderSaving = "Saving the order...";
export const orderSaved = "Order saved";
export const orderWaiting = "Not saved: the server cannot be reached. Trying again.";
export const orderRefused = "Somebody else changed this list. This is the list now; move again.";
export const emptyTitle = "No actions yet";
export const emptyHint = "Paste a list, one question a line, or write them one by one.";

// Events table
export const moveHint = "Press Alt and the up or down arrow to move it, or drag it.";
export const grip = "Grip";
export const moveColumn = "Move";

// Panel frame
export const close = "Close";

// Paste panel
export const pasteExample = "Home team to win the toss? | Heads | Tails | 30\nGoal inside ten minutes?";
export const lineFormat = "question | true | false | seconds";
export const pasteHint = (defaultWaitSeconds: number) =>
  `One action a line: {example}. What you leave out is as in any new action: each opens ${defaultWaitSeconds} seconds after the one before it has closed. Columns of a spreadsheet work too.`;
export const linesToFix = (count: number) =>
  count === 1
    ? "1 line needs a change before anything is added."
    : `${countOf(count, "line")} need a change before anything is added.`;
export const pasteLabel = "Actions, one a line";
export const tooManyLines = (remaining: number, count: number) =>
  `There is room for ${countOf(remaining, "more action")}; these are ${count}.`;
export const addAllLines = "Add all lines";
export const addActions = (count: number) => `Add ${countOf(count, "action")}`;
export const checkFirst = "Check first";

// Paste preview
export const previewLabel = "What was understood";
export const noQuestion = "No question";
export const describeLine = (trueLabelText: string, falseLabelText: string, durationSeconds: string) =>
  `${trueLabelText} or ${falseLabelText}, ${durationSeconds} s`;
export const lineProblem = (number: number, problem: string) => `Line ${number}: ${problem}`;

// Event fields
export const wait = "Wait";
export const duration = "Duration";
export const resultWithin = "Result within";
export const leastWager = "Least wager";
export const mostPerPlayer = "Most per player";
export const blank = "can't be blank";
export const tooLong = (lengthMax: number) => `is too long (maximum is ${lengthMax} characters)`;
export const notANumber = "is not a number";
export const notAnInteger = "must be an integer";
export const tooSmall = (min: number) => `must be greater than or equal to ${min}`;
export const tooLarge = (max: number) => `must be less than or equal to ${max}`;

// Parse lines
