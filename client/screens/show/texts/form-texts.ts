import { say } from "#src/http/contract.ts";
/** The texts of the forms of the control room: new actions, changes, results and corrections. */

// Composer
export const opensAfterPrevious = (waitSeconds: number) => `Opens ${waitSeconds} s after the one before`;
export const opensAfterResult = (waitSeconds: number) => `Opens ${waitSeconds} s after the result before`;

// Event editor
export const waitSeconds = "Wait, seconds";

// Undo bar
export const numbered = (number: number, title: string) => say`${number}. ${title}`;
