/** Makes the schedule of a round from its seed: everyday traffic, plus one to three kinds of faults. Pure. */

import type { Schedule, ScheduleStep } from '../schedule.ts';
import {
  absence,
  type FaultTheme,
  lateAlone,
  lateCommands,
  lateEdits,
  latePosts,
  pausedInBurst,
  race,
  type TortureSetting,
} from './fault-themes.ts';
import {
  changedBetween,
  forgedSurfaces,
  lostEdits,
  lyingAnswers,
  lyingLists,
  wrongDecisions,
} from './lying-themes.ts';
import {
  badDatabase,
  badDelivery,
  badServices,
  killedAt,
  paused,
  restarted,
  storms,
  wrongClock,
} from './more-fault-themes.ts';
import { createChance, type SeededChance } from './random.ts';
import {
  badServiceInRollout,
  failingRollout,
  killedRollout,
  pausedInRollout,
  pressedRollout,
  refusedRollout,
  stoppedRollout,
  takenOver,
} from './rollout-themes.ts';
import {
  frozenRules,
  hourlyRules,
  lostGroupRules,
  quorumRules,
  reachingRules,
  reloadedRules,
} from './rule-themes.ts';
import { randomAction } from './traffic.ts';

type Weighted = readonly [number, FaultTheme];

/** For every setting; more are added where they apply. */
const ALWAYS: readonly [Weighted, ...Weighted[]] = [
  [4, latePosts],
  [4, lateEdits],
  [2, lateAlone],
  [2, lateCommands],
  [3, absence],
  [3, race],
  [3, badServices],
  [4, killedAt],
  [2, storms],
  [1, restarted],
  [1, badDelivery],
  [1, wrongClock],
  [1, paused],
  [4, pressedRollout],
  [4, killedRollout],
  [3, badServiceInRollout],
  [2, failingRollout],
  [1, pausedInRollout],
  [3, refusedRollout],
  [3, stoppedRollout],
  [2, takenOver],
  [4, lyingAnswers],
  [3, lyingLists],
  [2, forgedSurfaces],
  [2, changedBetween],
  [2, wrongDecisions],
  [3, lostEdits],
  [3, quorumRules],
  [2, reachingRules],
  [2, hourlyRules],
  [2, frozenRules],
  [3, reloadedRules],
  [2, lostGroupRules],
];
/** Each seed begins with one round of each of these; the longest comes last. */
const OPENING: readonly FaultTheme[] = [
  refusedRollout,
  stoppedRollout,
  pressedRollout,
  killedRollout,
  badServiceInRollout,
  failingRollout,
  lyingAnswers,
  lyingLists,
  forgedSurfaces,
  changedBetween,
  wrongDecisions,
  lostEdits,
  absence,
  takenOver,
  quorumRules,
  reachingRules,
  hourlyRules,
  frozenRules,
  reloadedRules,
  lostGroupRules,
  pausedInRollout,
];
const ON_POSTGRES: readonly Weighted[] = [[3, badDatabase]];
const WITH_REPLICAS: readonly Weighted[] = [[5, pausedInBurst]];

/** Longest pause between two actions of the traffic. */
const LONGEST_PAUSE_MS = 2_500;
const BETWEEN_THEMES_MS = 2_000;
const TRAFFIC_AFTER_MS = 5_000;

/** The names of the themes with which each seed begins. */
export const OPENING_THEMES: readonly string[] = OPENING.map(({ name }) => name);

/** Round `number` of a seed, from 1; `first`: a part of the names of the opening themes that are played before the others. */
export function planNumbered(
  seed: string,
  number: number,
  setting: TortureSetting,
  first?: string,
): Schedule {
  const isFirst = ({ name }: FaultTheme) => first !== undefined && name.includes(first);
  const opening = OPENING.toSorted((a, b) => Number(isFirst(b)) - Number(isFirst(a)));
  const theme = opening[number - 1];
  const name = `${seed}/${number}`;
  return theme === undefined ? planRound(name, setting) : planOf([theme], name, setting);
}

/** The steps of one round, independent of other rounds. */
export function planRound(seed: string, setting: TortureSetting): Schedule {
  const chance = createChance(`${seed} ${setting.database} ${setting.replicas}`);
  const themes: readonly [Weighted, ...Weighted[]] = [
    ...ALWAYS,
    ...(setting.database === 'postgres' ? ON_POSTGRES : []),
    ...(setting.replicas > 1 ? WITH_REPLICAS : []),
  ];
  const chosen = Array.from({ length: chance.int(1, 3) }, () => chance.weighted(themes));
  return { seed, ...setting, steps: layThemes(chosen, chance, setting) };
}

/** A round with these kinds of faults, one after the other. */
export function planOf(themes: readonly FaultTheme[], seed: string, setting: TortureSetting): Schedule {
  return { seed, ...setting, steps: layThemes(themes, createChance(seed), setting) };
}

function layThemes(
  themes: readonly FaultTheme[],
  chance: SeededChance,
  setting: TortureSetting,
): ScheduleStep[] {
  const troubles: ScheduleStep[] = [];
  let end = chance.int(0, 3_000);
  for (const [number, theme] of themes.entries()) {
    const steps = theme(chance, setting);
    const of = `${theme.name} ${number + 1}`;
    troubles.push(...steps.map((step) => ({ ...step, at: step.at + end, of })));
    end = Math.max(...troubles.map(({ at }) => at)) + BETWEEN_THEMES_MS;
  }
  const traffic: ScheduleStep[] = [];
  for (let at = chance.int(0, 1_000); at < end + TRAFFIC_AFTER_MS; at += chance.int(100, LONGEST_PAUSE_MS))
    traffic.push({ at, of: 'traffic', deed: randomAction(chance) });
  // Stable: the steps of a theme keep their order.
  return [...troubles, ...traffic].toSorted((a, b) => a.at - b.at);
}
