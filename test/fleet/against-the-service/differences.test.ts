import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DIFFERENCES } from '../../../src/sandbox/management/profiles.ts';
import { COPES } from './copes.ts';
import { type Stage, startStage } from './stage.ts';

describe.each(['documented', 'live'] as const)('the client copes with the %s service in', (profile) => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await startStage(profile);
  });
  afterAll(() => stage.stop());
  beforeEach(() => stage.management.reset());

  it.each(Object.entries(COPES))('%s', (_, copes) => copes(stage));
});

it('every difference of the profiles is coped with', () => {
  expect(Object.keys(COPES).sort()).toEqual(Object.keys(DIFFERENCES).sort());
  expect(Object.keys(DIFFERENCES).length).toBeGreaterThanOrEqual(15);
});
