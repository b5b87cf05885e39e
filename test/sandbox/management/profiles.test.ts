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

  it.each(ROWS)(
    'says of $id what differs and from where that is known',
    ({ about, documented, live, source }) => {
      expect(documented).not.toEqual(live);
      expect(about).toMatch(/^[a-z]/);
      expect(source).toMatch(/^§\d.*; in practice \d/);
    },
  );

  it('makes a profile of each of its columns', () => {
    for (const profile of PROFILES) {
      expect(profileOf(profile)).toEqual(Object.fromEntries(ROWS.map((row) => [row.id, row[profile]])));
    }
    expect(profileOf()).toEqual(profileOf('live'));
  });
});

describe.each(PROFILES)('the %s service shows', (profile) => {
  it.each(ROWS)('$about', async ({ id, [profile]: value }) => {
    const service = await startService({ profile });
    expect(await PROBED[id]?.(service)).toEqual(value);
  });
});
