/** Id of the words that say how a row of the running order is moved. */
export const RUN_HINT_ID = "run-hint";
