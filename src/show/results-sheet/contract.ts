/** The tables of the results sheet: a CSV file has one of them. */
export const sheetTables = ["players", "questions"] as const;
export type SheetTable = (typeof sheetTables)[number];
