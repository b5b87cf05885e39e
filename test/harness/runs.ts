/** How often a property is tried: 300 times at most, and all of them with `npm run torture -- --all`. */

export const ALL_RUNS = 'PATCHBAY_ALL_RUNS';
export const playsAll = process.env[ALL_RUNS] === '1';

const MOST = 300;
export const runs = (all: number): number => (playsAll ? all : Math.min(all, MOST));
