import { expect, it } from 'vitest';
import { RESULT_GROUPS, RESULT_STATES } from '../../src/rollout/results.ts';
import { TARGET_STATES } from '../../src/store/port/request-records.ts';

it('lists each state of a device in exactly one group of results', () => {
  const listed = RESULT_GROUPS.flatMap((group) => RESULT_STATES[group]);
  expect(listed.toSorted()).toEqual([...TARGET_STATES].sort());
});
