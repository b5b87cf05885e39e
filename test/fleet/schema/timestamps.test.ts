import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  parseDeviceInstant,
  parseHttpDate,
  parseInstant,
  utcDayText,
} from '../../../src/fleet/schema/timestamps.ts';
import { instant } from '../../../src/lib/clock.ts';
import { property } from '../../harness/property.ts';
import { runs } from '../../harness/runs.ts';

const TIMES: readonly (readonly [string, string, number])[] = [
  ['a numeric zone without a colon', '2022-04-29T05:57:43+0000', Date.UTC(2022, 3, 29, 5, 57, 43)],
  ['milliseconds and Z', '2026-06-05T04:09:06.123Z', Date.UTC(2026, 5, 5, 4, 9, 6, 123)],
  ['microseconds without a zone', '2021-12-16 06:20:38.153713', Date.UTC(2021, 11, 16, 6, 20, 38, 153)],
  ['ISO with Z', '2021-01-01T00:00:00Z', Date.UTC(2021, 0, 1)],
  ['no fraction and no zone', '2023-04-14 16:05:01', Date.UTC(2023, 3, 14, 16, 5, 1)],
  ['no seconds and no zone', '2023-04-14 16:05', Date.UTC(2023, 3, 14, 16, 5)],
  ['one digit of a fraction', '2023-04-14T16:05:00.5Z', Date.UTC(2023, 3, 14, 16, 5, 0, 500)],
  ['a zone east of Greenwich', '2023-04-14T16:05:00+02:00', Date.UTC(2023, 3, 14, 14, 5)],
  ['a zone west of Greenwich', '2023-04-14T16:05:00-0730', Date.UTC(2023, 3, 14, 23, 35)],
  ['a day alone', '2023-04-14', Date.UTC(2023, 3, 14)],
  ['US English, morning', '12/25/2024 8:34:32 AM', Date.UTC(2024, 11, 25, 8, 34, 32)],
  ['US English, evening', '1/5/2025 11:04:09 PM', Date.UTC(2025, 0, 5, 23, 4, 9)],
  ['US English, an hour after midnight', '12/25/2024 12:34:32 AM', Date.UTC(2024, 11, 25, 0, 34, 32)],
  ['US English, noon, with a narrow space', '12/25/2024 12:34\u202FPM', Date.UTC(2024, 11, 25, 12, 34)],
  ['a leap day', '2024-02-29 00:00:00', Date.UTC(2024, 1, 29)],
];

const NO_TIMES = [
  '',
  'soon',
  '2023-02-29 00:00:00',
  '2023-13-01 00:00:00',
  '2023-00-10 00:00:00',
  '2023-01-00 00:00:00',
  '2023-01-01 24:00:00',
  '2023-01-01 10:60:00',
  '0000-00-00 00:00:00',
  '0001-01-01T00:00:00Z',
  '2023-01-01T10:00:00 PST',
  '1681488300',
  '2023-01-01T10:00:00Z; drop',
  '25/12/2024 8:34:32 AM',
  '12/25/2024 13:34:32 PM',
  '12/25/2024 0:34:32 AM',
  '12/25/2024 8:34:32',
];

describe('a timestamp of the service', () => {
  it.each(TIMES)('is read as UTC: %s', (_, text, expected) => {
    expect(parseInstant(text)).toBe(expected);
  });

  it.each(NO_TIMES)('is null when it cannot be read: "%s"', (text) => {
    expect(parseInstant(text)).toBeNull();
  });

  it('is null when the service sent none', () => {
    expect(parseInstant(null)).toBeNull();
  });

  property([fc.string()])('never throws, whatever it holds', (text) => {
    const at = parseInstant(text);
    expect(at === null || Number.isSafeInteger(at)).toBe(true);
  });

  const whole = fc.integer({ min: 0, max: 4_000_000_000 }).map((seconds) => new Date(seconds * 1000));
  property([whole])('is read back from every format it is written in', (date) => {
    const iso = date.toISOString();
    for (const text of [
      iso,
      iso.replace('.000Z', '+0000'),
      iso.replace('T', ' ').replace('.000Z', '.000000'),
    ])
      expect(parseInstant(text)).toBe(date.getTime());
  });

  const day = fc.integer({ min: 0, max: 2_932_896 }).map((days) => new Date(days * 86_400_000 + 86_399_000));
  property([day], { numRuns: runs(1_000) })(
    'is the same whether read digit by digit or by the general format, on every day',
    (date) => {
      const iso = date.toISOString();
      const forms = ['+0000', 'Z', '', '+00:00', '.000Z', ' UTC'].map((end) => iso.replace('.000Z', end));
      expect(forms.map(parseInstant)).toEqual(forms.map(() => date.getTime()));
    },
  );

  it.each(['1900-02-29', '2023-02-29', '2100-02-29', '2023-04-31', '2023-01-32', '2023-1a-01', '20-3-01-01'])(
    'is null for an invalid day: %s',
    (day) => {
      for (const end of ['+0000', 'Z', '', '.000Z']) expect(parseInstant(`${day}T10:00:00${end}`)).toBeNull();
    },
  );

  it.each([
    '2023-01-01T24:00:00+0000',
    '2023-01-01T10:60:00Z',
    '2023-01-01 10:00:60',
    '2023-01-01T1 :00:00+0000',
  ])('is null for an invalid hour: %s', (text) => {
    expect(parseInstant(text)).toBeNull();
  });

  it.each(['America/Denver', 'Asia/Kolkata', 'UTC'])('means the same on a machine in %s', (zone) => {
    const time = new URL('../../../src/fleet/schema/timestamps.ts', import.meta.url).href;
    const script = `
      const { utcDayText, parseInstant } = await import(${JSON.stringify(time)});
      const at = parseInstant('2021-12-16 06:20:38.153713');
      console.log(JSON.stringify([at, utcDayText(at), new Date(at).getTimezoneOffset()]));`;
    const printed = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      env: { TZ: zone },
    });
    const [at, day, offset] = JSON.parse(printed.toString());
    expect([at, day]).toEqual([Date.UTC(2021, 11, 16, 6, 20, 38, 153), '2021-12-16']);
    // Otherwise the child could have ignored the zone.
    expect(offset).toBe({ 'America/Denver': 420, 'Asia/Kolkata': -330, UTC: 0 }[zone]);
  });
});

describe('a time by the clock of a device', () => {
  it.each([
    ['11/21/2022 1:34:28 AM', 'UTC-0800', Date.UTC(2022, 10, 21, 9, 34, 28)],
    ['12/25/2024 8:34:32 AM', 'UTC+0530', Date.UTC(2024, 11, 25, 3, 4, 32)],
    ['12/25/2024 8:34:32 AM', null, Date.UTC(2024, 11, 25, 8, 34, 32)],
    ['2023-04-14 16:05', 'UTC-0700', Date.UTC(2023, 3, 14, 23, 5)],
    ['2023-04-14T16:05:00+0000', 'UTC-0700', Date.UTC(2023, 3, 14, 16, 5)],
    ['2023-04-14T16:05:00Z', 'UTC-0700', Date.UTC(2023, 3, 14, 16, 5)],
    ['never', 'UTC-0700', null],
  ])('%s in %s', (text, zone, expected) => {
    expect(parseDeviceInstant(text, zone)).toBe(expected);
  });
});

describe('the day text of queries', () => {
  it('is the UTC day, at its start and its end', () => {
    expect(utcDayText(instant(Date.UTC(2026, 0, 5)))).toBe('2026-01-05');
    expect(utcDayText(instant(Date.UTC(2026, 0, 5, 23, 59, 59, 999)))).toBe('2026-01-05');
  });
});

describe('a date of HTTP', () => {
  it('is read', () => {
    expect(parseHttpDate('Tue, 10 May 2022 19:54:45 GMT')).toBe(Date.UTC(2022, 4, 10, 19, 54, 45));
  });

  it.each(['', 'tomorrow GMT', 'Tue, 10 May 2022 19:54:45', '2022-05-10'])(
    'is null otherwise: "%s"',
    (text) => {
      expect(parseHttpDate(text)).toBeNull();
    },
  );
});
