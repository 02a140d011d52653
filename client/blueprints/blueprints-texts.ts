import { countOf } from "../base/format/count.ts";

/** The texts of the blueprints: their list, their pages, and the sessions made from them. */

// Blueprints screen
export const all = "All";
export const namedLike = (part: string) => `Named like "${part}"`;
export const newBlueprint = "New blueprint";
export const name = "Name";
export const searchPlaceholder = "A part of the name";
export const search = "Search";
export const actionsAndLength = (count: number, length: string) => `${countOf(count, "action")}, ${length}.`;
export const noSessionYet = "No session yet.";
export const sessionsMade = (count: number) => `${countOf(count, "session")}.`;
export const view = "View";
export const emptyTitle = "No blueprints yet";
export const emptyHint =
  "A blueprint is a list of actions with their times. Sessions are made from it, as often as you like.";
export const writeFirst = "Write the first one";
export const noMatchTitle = "No blueprint is named so";
export const noMatchHint = (part: string) => `None has "${part}" in its name.`;
export const showAll = "Show all";

// Blueprint screen
export const edit = "Edit";
export const dryRun = "Dry run";
export const generateSession = "Generate session";
export const noActionsTitle = "No actions yet";
export const noActionsHint = "A session that is made now would have nothing to call.";
export const addActions = "Add actions";
export const sessionsTitle = "Its sessions";
export const olderSessions = (more: number) => `And ${countOf(more, "older one")}, among all {sessions}.`;
export const sessionsLink = "sessions";
export const deleteBlueprint = "Delete the blueprint";
export const deleteTitle = (blueprintName: string) => `Delete ${blueprintName}?`;
export const deleteButton = "Delete";
export const keepIt = "Keep it";
export const deleteHint = (count: number) =>
  `It goes with its ${countOf(count, "action")}. Finished sessions stay. It can be brought back for 24 hours.`;
export const actionsFact = "Actions";
export const plannedLength = "Planned length";
export const lead = "Lead";
export const settlementDelay = "Settlement delay";
export const hostMayCall = "Host may call";
export const settleThemselves = "Actions without calls settle themselves";
export const houseDollar = "On the house: $1 for who has run out";
export const isPrivate = "Private: only with the code";
export const chatApproval = "Chat on the big screen is approved first";
export const teams = "Teams";
export const seconds = (count: number) => `${count} s`;
export const none = "None";
export const yes = "Yes";
export const no = "No";
export const planAndSettings = "Plan and settings";

// New blueprint screen
export const continueButton = "Go on to the actions";
export const cancel = "Cancel";

// From a file, a list or a session
export const bringTitle = "From a file or a list";
export const bringHint =
  "A blueprint that was exported, cells of a spreadsheet, or one question a line. What was exported knows what it is called.";
export const bringName = "Call it";
export const bringText = "Text";
export const bringButton = "Bring it in";
export const fromSessionTitle = "From a past session";
export const fromSessionHint = "All that it asked, with its settings, as a new blueprint.";
export const pastSession = "Session";
export const fromSessionButton = "Make a blueprint of it";

// Export and copy
export const exportTitle = "Export";
export const exportHint = "CSV for a spreadsheet; JSON for another installation. Both can be pasted back.";
export const asCsv = "CSV";
export const asJson = "JSON";
export const duplicateBlueprint = "Duplicate";

// Generate form
export const startsAt = "Starts at";
export const startsAtHint = (zone: string) =>
  `In ${zone}. For the list only: it starts when you press Start.`;
export const noActionsReason = "It has no actions yet.";

// Blueprint form
export const description = "Description";

// Events list
export const actions = "Actions";
export const describeEvent = (
  trueLabel: string,
  falseLabel: string,
  durationSeconds: number,
  startText: string,
) => `${trueLabel} or ${falseLabel}, ${durationSeconds} s, ${startText}`;

// Timeline
export const actionsInAll = (count: number, lengthText: string) =>
  `${countOf(count, "action")}, ${lengthText} in all`;
export const timeline = "Timeline";
export const planToScale = "Plan, to scale";

// Notices
export const created = "Created. Now its actions: paste them, or add them one by one.";
export const saved = "Saved.";
export const added = "Added at the end. Here is room for the next one.";
export const removed = "Removed.";
export const restored = "It is back.";
export const duplicated = "Duplicated: the copy is below the original.";
export const severalSaved = "Saved for all of them.";
export const copied = "This is the copy.";
export const brought = "Brought in. Look it over, then generate a session.";
export const moved = "Moved.";
export const linesAdded = "All lines were added at the end.";
export const deleted = "The blueprint is deleted. Sessions that were made from it stay.";

// Plan times
export const atLeast = (count: string) => `at least ${count}`;
export const byHand = "by hand";
export const at = (length: string) => `at ${length}`;
export const after = (position: number) => `after ${position}`;
export const afterResultOf = (position: number) => `after result of ${position}`;

// Refused in editor
export const deletedByOther = "It is not there any more: somebody else deleted it. Load the page again.";

// Blueprint fields
