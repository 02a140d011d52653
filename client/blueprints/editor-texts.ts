/** The texts of the editor of a blueprint. */

// Selection and several actions
export const chosenCount = (count: number) => (count === 0 ? "None chosen" : `${count} chosen`);
