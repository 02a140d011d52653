/** The texts of the help about keys. */

export const leftKeys = "1";
export const chooseLeft = "choose the left side";
export const rightKeys = "2";
export const chooseRight = "choose the right side";
export const enterKey = "Enter";
export const placeCall = "call the chosen side";
export const leftRightKeys = "Left, right";
export const chooseByArrow = "choose a side, from the sides or the amount";
export const upDownKeys = "Up, down";
export const changeWager = "wager more or less, there too";
export const backspaceKey = "Backspace";
export const takeBackNewest = "take the newest call back";
export const undoKeys = "Ctrl+Z";
export const undoTakingBack = "undo that, for 5 seconds";
export const showHelp = "this help";
export const keys = "Keys";
export const close = "Close";
