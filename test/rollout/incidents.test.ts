import { describe, expect, it } from 'vitest';
import { instant } from '../../src/lib/clock.ts';
import { personId, requestId } from '../../src/lib/ids.ts';
import {
  incidentsBetween,
  type RolloutIncident,
  readLineId,
  writeLineId,
} from '../../src/rollout/incidents.ts';
import { RESULT_GROUPS, RESULT_STATES } from '../../src/rollout/results.ts';
import { TARGET_STATES } from '../../src/store/port/request-records.ts';
import { START } from '../harness/builders.ts';
import { aRollout } from '../harness/rollouts.ts';

const BOB = personId('U0BOB');
const runs = aRollout(40);
const paused = aRollout(40, { hold: { kind: 'paused', by: BOB, at: START } });
const braked = aRollout(40, { hold: { kind: 'braked', bad: 3, ended: 7, at: START } });
const unanswered = aRollout(40, { hold: { kind: 'unanswered', sends: 5, at: START } });
const drifted = aRollout(40, { hold: { kind: 'braked', bad: 3, ended: 7, at: START, why: 'drifted' } });
const gate = aRollout(40, { wave: 1, hold: { kind: 'gate', at: START } });
const second = aRollout(40, { wave: 1 });
const unproven = aRollout(40, { hold: { kind: 'braked', bad: 1, ended: 1, at: START, why: 'unproven' } });
const expired = aRollout(40, { hold: { kind: 'expired', at: START } });
const away = aRollout(40, { hold: { kind: 'away', from: START, at: START } });
const closed = aRollout(40, { hold: { kind: 'stopped', by: BOB, at: START, why: 'closed' } });
const unresumed = aRollout(40, { hold: { kind: 'stopped', by: null, at: START, why: 'unresumed' } });
const stopped = aRollout(40, { hold: { kind: 'stopped', by: BOB, at: START } });

describe('what the thread of a rollout says', () => {
  it.each<[string, typeof runs, typeof runs, readonly RolloutIncident[]]>([
    ['nothing where a device moved', runs, { ...runs, forgiven: 1 }, []],
    ['that a wave ended', runs, second, [{ kind: 'wave-ended', wave: 0 }]],
    ['one line where the plan waits for a person', runs, gate, [{ kind: 'wave-ended', wave: 0 }]],
    ['that it braked', runs, braked, [{ kind: 'braked', wave: 0, bad: 3, ended: 7 }]],
    ['that calls were not answered', runs, unanswered, [{ kind: 'unanswered', wave: 0, sends: 5 }]],
    ['nothing where a call was not answered', runs, { ...runs, unanswered: 1 }, []],
    ['that too many changed', runs, drifted, [{ kind: 'drifted', wave: 0, bad: 3, ended: 7 }]],
    ['that it was paused', runs, paused, [{ kind: 'paused', by: BOB }]],
    ['that a wave proved nothing', runs, unproven, [{ kind: 'unproven', wave: 0, bad: 1, ended: 1 }]],
    ['that its approval ended', runs, expired, [{ kind: 'expired' }]],
    ['that Patchbay was away', runs, away, [{ kind: 'away', from: START }]],
    ['that it was closed', runs, closed, [{ kind: 'closed', by: BOB }]],
    ['that nobody let it go on', expired, unresumed, [{ kind: 'unresumed' }]],
    ['that it was stopped', paused, stopped, [{ kind: 'stopped', by: BOB }]],
  ])('%s', (_what, before, after, said) => {
    expect(incidentsBetween(before, after)).toEqual(said);
  });

  it('who let it go on, after the wave that had ended', () => {
    expect(incidentsBetween(paused, runs, { by: BOB })).toEqual([{ kind: 'resumed', by: BOB }]);
    expect(incidentsBetween(paused, second, { by: BOB })).toEqual([
      { kind: 'wave-ended', wave: 0 },
      { kind: 'resumed', by: BOB },
    ]);
    for (const held of [gate, expired, away])
      expect(incidentsBetween(held, { ...held, hold: null }, { by: BOB })).toEqual([
        { kind: 'continued', by: BOB },
      ]);
  });

  it('that the next wave began without offline devices, and not that their wave ended', () => {
    for (const before of [runs, expired])
      expect(incidentsBetween(before, second, { by: BOB, isWithout: true })).toEqual([
        { kind: 'continued-without', by: BOB },
      ]);
  });
});

describe('the name of a line', () => {
  it.each<RolloutIncident>([
    { kind: 'wave-ended', wave: 1 },
    { kind: 'unproven', wave: 1, bad: 0, ended: 0 },
    { kind: 'unanswered', wave: 2, sends: 5 },
    { kind: 'paused', by: null },
    { kind: 'continued-without', by: BOB },
    { kind: 'expired' },
    { kind: 'away', from: START },
  ])('says all of it: %o', (incident) => {
    const line = { request: requestId('r_abc123'), at: instant(START), incident };
    expect(readLineId(writeLineId(line))).toEqual(line);
  });

  it.each(['', 'r_1', 'r_1.5', 'r_1.x.{"kind":"expired"}', 'r_1.5.{"kind":"danced"}'])(
    'that is none is not read: %s',
    (id) => {
      expect(readLineId(id)).toBeNull();
    },
  );
});

it('lists each state of a device in exactly one group of results', () => {
  const listed = RESULT_GROUPS.flatMap((group) => RESULT_STATES[group]);
  expect(listed.toSorted()).toEqual([...TARGET_STATES].sort());
});
