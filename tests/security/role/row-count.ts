/** How many rows of each table the generated attacks try. role.proof.ts tries more. */
export const rows = { tried: 1 };
