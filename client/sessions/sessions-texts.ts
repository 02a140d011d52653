import { countOf } from "../base/format/count.ts";

/** The texts of the sessions: their list, and the page to join. */

// Sessions screen
export const alsoLive = "Also live";
export const comingUp = "Coming up";
export const finished = "Finished";
export const pagesComing = "Pages of those coming up";
export const pagesFinished = "Pages of the finished ones";
export const nameOfSession = "Name";
export const searchSessions = "Search sessions by name";
export const search = "Search";
export const nothingFound = (text: string) => `No coming or finished session has "${text}" in its name.`;
export const newSession = "New session";
export const noSessionIsLive = "No session is live";
export const nextSession = "Next is {session}.";
export const noSessionHint = "When one starts, it appears here.";

export const passwordChanged = "Your password is changed, and you are signed in. A mail says so, too.";

// First steps
export const firstShow = "Your first show";
export const stepQuestions = "Write the questions, or paste a list of them.";
export const stepQuestionsLink = "Make a blueprint";
export const stepSession = "Make a session from the blueprint: that is a show with a date.";
export const stepSessionLink = (blueprint: string) => `Open ${blueprint}`;
export const stepScreen = "Open the big screen on the projector.";
export const stepScreenLink = "Big screen";
export const stepShare = "Share the QR code or the link, and press Start.";
export const stepShareLink = "Control room";
export const stepDone = (step: string) => `Done: ${step}`;
export const yourName = (name: string) => `You are ${name} on every screen. {change}`;
export const changeName = "Change your name";

// Live banner
export const liveNow = (name: string) => `Live now: ${name}`;
export const questions = (eventsCount: number) => countOf(eventsCount, "question");
export const runTheShow = "Run the show";
export const goToTheGame = "Go to the game";
export const nobodyHereYet = "Nobody here yet";
export const playersHere = (playersOnline: number) => `${countOf(playersOnline, "player")} here`;
export const paused = "Paused";
export const startsSoon = "Starts soon";
export const haveACode = "Have a code?";
export const liveNowWord = "Live now";

// Session row
export const rowSummary = (eventsCount: number, registrationsCount: number) =>
  `${countOf(eventsCount, "question")}, ${registrationsCount} joined`;
export const leaders = "Leaders";
export const replay = "Replay";
export const admin = "Admin";
export const edit = "Edit";
export const view = "View";
export const join = "Join";
export const saveAsBlueprint = "Save as blueprint";
export const notPlannedYet = "Not planned yet.";

// Join screen
export const joinSession = (name: string) => `Join ${name}`;
export const joinSummary = (eventsCount: number, registrationsCount: number) =>
  `${countOf(eventsCount, "question")}, ${registrationsCount} joined.`;
export const displayName = "Display name";
export const joinHint =
  "You get a message when it starts. You can also just make a call: that joins you too.";
export const sessionOver = "This session is over";
export const seeTheLeaders = "See the leaders";
