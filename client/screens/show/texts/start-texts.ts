import { countOf } from "#client/base/format/count.ts";
import { HOST_DECIDES_SECONDS, paceLimits } from "#src/show/events/pace/contract.ts";

/** The texts before a show: what is ready, who comes, the link for players, the start. */

// Start
export const start = "Start";
export const startTitle = (name: string) => `Start ${name}?`;
export const startConfirm = "Start the show";
export const startCancel = "Not yet";
export const leadLabel = "The first action opens after, seconds";
export const leadHint = "Players read its question meanwhile.";
export const sendHere = (name: string) => `Send players here instead of to ${name}`;
export const sentElsewhere = (name: string) =>
  `Players are sent to ${name}, which you do not host. An admin can send them here.`;
export const sentHereThen = "Players who open the game are sent here from then on.";
export const sentHereNow = "Players who open the game are sent here already.";

// Checklist
export const beforeTheShow = "Before the show";
export const allReady = "Everything is ready.";
export const ready = "ready";
export const lookAtThis = "look at this";
export const goodToKnow = "good to know";
export const noActions = "There is no action yet. Add one under New Action.";
export const actionsAndLength = (count: number, length: string) =>
  `${countOf(count, "action")}, ${length} from the start to the last close.`;
export const actionsOpenEnd = (count: number) =>
  `${countOf(count, "action")}. Some wait for you, so the end is open.`;
export const sameLabels = (numbers: string) => `Both answers have the same name in ${numbers}.`;
export const plainLabels = (numbers: string) => `The answers are plain True and False in ${numbers}.`;
export const ownLabels = "Every action has answers of its own.";
export const paidLater = (seconds: number) =>
  `Results are paid after ${seconds} s. Until then you can take one back.`;
export const paidAtOnce =
  "Results are paid at once. A wrong one has to be corrected in front of the players.";
export const noPause = (numbers: string) =>
  `No time to decide and to see the result before it opens: ${numbers}. Plan a wait of ${HOST_DECIDES_SECONDS + paceLimits.pauseSeconds} s, or one after the result.`;
export const littleTimeToRead = (numbers: string) => `Little time to read and to call: ${numbers}.`;
export const littleTimeToDecide = (numbers: string) => `Little time for you to give the result: ${numbers}.`;
export const fixPace = "Fix all";
export const overlaps = (numbers: string) => `Opens while the one before is still open: ${numbers}.`;
export const calmPace = "There is time between the actions.";
export const othersLive = (name: string, players: number) =>
  `Players are sent to ${name} now${players === 0 ? "" : `, with ${countOf(players, "player")} in it`}.`;
export const othersPlanned = (name: string) => `Players are sent to ${name} now, which has not started.`;
export const whoIsHere = (here: number, joined: number) =>
  `${countOf(here, "player")} here, ${joined} joined before.`;
export const nobodyHere = (joined: number) =>
  joined === 0
    ? "Nobody is here yet. Give players the link."
    : `Nobody is here yet. ${countOf(joined, "player")} joined, and will get a message when it starts.`;

// Invite
export const invite = "Invite";
export const inviteTitle = "Invite players";
export const bigScreen = "Open the big screen";
export const inviteHint = "Everybody with the code or the link can play, also as a guest.";
export const invitePrivateHint =
  "A private show: only who has the code or the link finds it. Guests may play too.";
export const codeAt = (address: string) => `Code at ${address}`;
export const newCode = "New code";
export const newCodeTitle = "Make a new code?";
export const newCodeWarning =
  "The code and the link before stop working, on the big screen too. Who has joined stays. Who was removed can come back with the new one.";
export const newCodeConfirm = "Make a new code";
export const newCodeCancel = "Keep this one";
export const joinLink = "Link for players";
export const onlyThisComputer =
  "Phones cannot open this link: it leads to this computer. Start the product for phones in the room (README), and open this page by that address.";
export const copy = "Copy the link";
export const copied = "Copied";
export const copyFailed = "It could not be copied. The link is selected: copy it yourself.";
export const stageLink = "Stage link";
export const stageLinkHint =
  "For the projector. It opens the big screen where nobody is signed in: before, during and after the show.";
export const copyStageLink = "Copy stage link";
export const overlayHint =
  "For a stream. In OBS add a browser source with this address, 1920 wide and 1080 high: it lies over the video.";
export const overlayLink = "Link for OBS";
export const copyOverlayLink = "Copy link for OBS";
export const newStageLink = "New stage link";
export const newStageLinkTitle = "Make a new stage link?";
export const newStageLinkWarning = "The link before stops working. Open the new one where it was open.";
export const newStageLinkConfirm = "Make a new link";
export const newStageLinkCancel = "Keep this one";
export const stageLinkIsNew = "This is the new link.";
export const stageLinkFailed = "The link could not be loaded. Close this and open it again.";
export const qrLabel = (name: string) => `QR code of the link to ${name}`;
export const close = "Close";

const NUMBERS_MAX = 6;

/** "2", "2, 5", "2, 5, 7, 8, 9, 11 and 4 more" */
export const listNumbers = (numbers: readonly number[]) => {
  const shown = numbers.slice(0, NUMBERS_MAX).join(", ");
  return numbers.length > NUMBERS_MAX ? `${shown} and ${numbers.length - NUMBERS_MAX} more` : shown;
};
