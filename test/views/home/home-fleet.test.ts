import { describe, expect, it } from 'vitest';
import { later, MINUTE } from '../../../src/lib/clock.ts';
import { checkView } from '../../../src/sandbox/slack/validate/payload-rules.ts';
import type { HomeData } from '../../../src/views/home/home-tab.ts';
import { troubleMarkup } from '../../../src/views/status/trouble-text.ts';
import { renderView } from '../../../src/views/views.ts';
import { HEALTHY } from '../../commands/harness/fake-records.ts';
import { START } from '../../harness/builders.ts';
import { ALL_TROUBLES } from '../samples/trouble-samples.ts';
import { buttonsOf, renderedHome, wordsOf } from './home-facts.ts';

describe('the fleet', () => {
  const counted = (given: object): HomeData['fleet'] => ({
    kind: 'counted',
    asOf: START,
    unlisted: 0,
    partial: false,
    overdue: false,
    devices: 240,
    compliant: 200,
    noncompliant: 30,
    pending: 45,
    offline: 12,
    needsReboot: 0,
    ...given,
  });

  it('says every number in words', () => {
    const words = wordsOf({ fleet: counted({}), rollouts: [] });
    expect(words).toContain('*30* of 240 devices not compliant (200 compliant, 10 unknown)');
    expect(words).toContain('*45* with pending patches');
    expect(words).toContain('*12* offline');
    expect(words).toContain('*0* require a reboot');
    // A phone breaks the line behind a bar, so that its number belongs to nothing.
    expect(words).not.toMatch(/[█░]/);
  });

  it('counts what is not known beside what is', () => {
    const unknown = { connection: 1, pending: 2, needsReboot: 3, compliance: 10 };
    const words = wordsOf({ fleet: counted({ unknown }), rollouts: [] });
    for (const said of ['offline (1 unknown)', 'pending patches (2 unknown)', 'require a reboot (3 unknown)'])
      expect(words).toContain(said);
  });

  it('offers the devices behind a number, where there are any', () => {
    const buttons = buttonsOf({ fleet: counted({}) });
    expect(buttons).toContain('devices:offline');
    expect(buttons).not.toContain('devices:needsreboot');
  });

  it('states the age of numbers that are older than the page, and no other', () => {
    expect(wordsOf({ fleet: counted({}) }).match(/As of|Device data from/g)).toEqual(['As of']);
    expect(wordsOf({ fleet: counted({ asOf: later(START, -MINUTE) }) })).toContain('Device data from <!date');
    expect(checkView(renderedHome({ fleet: counted({}) }), 'home')).toEqual([]);
  });

  it('says that it is a part, that it is old, and what is missing', () => {
    expect(wordsOf({ fleet: counted({ partial: true }) })).toContain('these numbers are partial');
    expect(wordsOf({ fleet: counted({ overdue: true }) })).toContain('these are the last known numbers');
    expect(wordsOf({ fleet: counted({ unlisted: 3 }) })).toContain('Up to 3 devices not counted');
  });

  it.each(['reading', 'unread'] as const)('has words where nothing is known: %s', (kind) => {
    expect(checkView(renderedHome({ fleet: { kind } }), 'home')).toEqual([]);
    expect(wordsOf({ fleet: { kind } })).toMatch(/Reading the fleet|Couldn’t read the fleet/);
  });
});

describe('what is wrong with Patchbay', () => {
  const troubles = ALL_TROUBLES.map((trouble) => ({ trouble, since: START }));

  it('stands first for those who can do something about it, three of it at the most', () => {
    for (const role of ['approver', 'admin'] as const) {
      const tab = renderedHome({ troubles, role });
      expect(checkView(tab, 'home')).toEqual([]);
      expect(JSON.stringify(tab.blocks).match(/⛔/g)).toHaveLength(3);
      expect(wordsOf({ troubles, role })).toContain(
        'Slack hasn’t responded, or has answered with errors, since',
      );
    }
  });

  it.each(troubles)('is named for others in one line: $trouble', (trouble) => {
    const words = wordsOf({ troubles: [trouble], role: 'viewer' });
    expect(words).not.toMatch(/⛔|Patchbay is healthy/);
    expect(words).toContain(`⚠️ *Patchbay needs attention*: ${troubleMarkup(trouble).what}`);
  });

  it.each([[], troubles])('is nothing else than in `status`', (...given) => {
    const health = { ...HEALTHY, troubles: given };
    const { text } = renderView({ kind: 'status', health, index: null, pause: null, asOf: START });
    const [title = ''] = text.split('\n');
    expect(title).toMatch(/Patchbay is healthy|needs attention/);
    expect(wordsOf({ troubles: given })).toContain(title);
  });
});
