import { beforeEach, describe, expect, it } from 'vitest';
import { PROFILE_DIFFERENCES } from '../../../src/sandbox/management/profiles.ts';
import { useStarted } from '../../harness/use-started.ts';
import { PROFILE_CASES } from './profile-cases.ts';
import { startStage } from './stage.ts';

describe.each(['documented', 'live'] as const)('the client handles the %s service in', (profile) => {
  const stage = useStarted(() => startStage(profile));
  beforeEach(() => stage.management.reset());

  it.each(Object.entries(PROFILE_CASES))('%s', (_, copes) => copes(stage));
});

it('every difference between the profiles is handled', () => {
  expect(Object.keys(PROFILE_CASES).sort()).toEqual(Object.keys(PROFILE_DIFFERENCES).sort());
  expect(Object.keys(PROFILE_DIFFERENCES).length).toBeGreaterThanOrEqual(15);
});
