/** The texts of the share's trend, whose code comes late. */
export const shareTrend = (label: string) => `${label} share since you came`;
export const shareRange = (first: string, last: string) => `${first} to ${last}`;
export const shareTrendSpoken = (label: string, range: string) => `${label} share went from ${range}`;
