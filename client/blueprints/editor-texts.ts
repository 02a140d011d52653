import { countOf } from "../base/format/count.ts";

/** The texts of the editor of a blueprint. */

// Edit blueprint screen
export const nameAndSettings = "Name and settings";
export const pasteInBulk = "Paste in bulk";
export const newAction = "New Action";
export const dryRun = "Dry run";

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

// Selection and several actions
export const chooseAction = (position: number, title: string) => `Choose action ${position}, ${title}`;
export const chooseAll = "Choose all";
export const chosenCount = (count: number) => (count === 0 ? "None chosen" : `${count} chosen`);
export const editChosen = "Edit";
export const editAll = "Edit all";
export const moveUp = "Up";
export const moveDown = "Down";
export const duplicate = "Duplicate";
export const clearChoice = "Clear";
export const forChosen = "For the chosen actions";
export const movedSeveral = (count: number, position: number) =>
  `${countOf(count, "action")} moved: now from ${position} on.`;
export const several = (count: number) => (count === 1 ? "1 action" : `${count} actions together`);
export const severalHint = "What you leave empty stays as it is in each of them.";
export const noneChosenHint = "Choose actions in the list first, by the boxes beside their numbers.";
export const unchanged = "Unchanged";
export const noLimitHint = 'Write "none" for no limit.';
export const saveSeveral = (count: number) => `Save for ${countOf(count, "action")}`;
export const nothingTyped = "Nothing is filled in, so nothing would change.";

// Undo
export const undo = "Undo";
export const removedLately = "Removed lately";
export const removedBy = "{at} by {name}";
export const undoHint = (hours: number) => `For ${countOf(hours, "hour")} they can be brought back.`;

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
