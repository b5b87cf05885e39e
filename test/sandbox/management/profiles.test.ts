/** Every difference between the profiles, observed over HTTP. */
import { describe, expect, it } from 'vitest';
import { PROFILE_DIFFERENCES, profileOf } from '../../../src/sandbox/management/profiles.ts';
import { PROFILE_PROBES } from './harness/profile-probes.ts';
import { startService } from './harness/service.ts';

const PROFILES = ['documented', 'live'] as const;
const ROWS = Object.entries(PROFILE_DIFFERENCES).map(([id, difference]) => ({ id, ...difference }));
const PROBED: Readonly<Record<string, (typeof PROFILE_PROBES)[keyof typeof PROFILE_PROBES]>> = PROFILE_PROBES;

describe('the table of differences', () => {
  it('has a probe for every row, and a row for every probe', () => {
    expect(Object.keys(PROFILE_PROBES).sort()).toEqual(ROWS.map(({ id }) => id).sort());
  });

  it.each(ROWS)('has another value in each profile: $id', ({ documented, live }) => {
    expect(documented).not.toEqual(live);
  });

  it('makes a profile of each of its columns', () => {
    for (const profile of PROFILES) {
      expect(profileOf(profile)).toEqual(Object.fromEntries(ROWS.map((row) => [row.id, row[profile]])));
    }
    expect(profileOf()).toEqual(profileOf('live'));
  });
});

describe.each(PROFILES)('the %s service shows', (profile) => {
  it.each(ROWS)('its own $id', async ({ id, [profile]: value }) => {
    const service = await startService({ profile });
    expect(await PROBED[id]?.(service)).toEqual(value);
  });
});
