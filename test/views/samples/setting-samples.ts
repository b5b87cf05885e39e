/** The views of `settings-model.ts`, with one text in every field that others choose. */
import { instant } from '../../../src/lib/clock.ts';
import { pauseId, personId } from '../../../src/lib/ids.ts';
import type { NamedLine, PauseRecord } from '../../../src/store/port/settings-records.ts';
import type { Problem } from '../../../src/views/model.ts';
import type { DoubtedList } from '../../../src/views/models/list-model.ts';
import { START } from '../../harness/builders.ts';
import { offersWith } from './offer-samples.ts';
import type { SampleContent, ViewSample } from './sample-content.ts';

export function aPause(given: Partial<PauseRecord> = {}): PauseRecord {
  const by = personId('U0ADMIN');
  return { id: pauseId('p_1'), by, reason: null, since: START, endedBy: null, endedAt: null, ...given };
}

export const DOUBTS: readonly DoubtedList[] = [
  { list: 'devices', since: START, missing: 140 },
  { list: 'policies', since: START, missing: 4 },
];

export function settings({ text, count }: SampleContent): readonly ViewSample[] {
  const rows = Array.from({ length: count }, (_, at) => {
    const owner = at % 2 === 0 ? null : personId('U0OPERATOR1');
    const named: NamedLine = { name: text, line: text, owner, by: personId(text), at: START };
    const remove = { command: 'alias', input: { do: 'remove', name: text, shared: owner === null } };
    return { named, remove: at % 3 === 0 ? null : remove };
  });
  const names = { kind: 'named-lines', most: 50, root: '/fleet' } as const;
  const pause = aPause({ reason: text, by: personId(text) });
  const over = aPause({ reason: text, endedBy: personId(text), endedAt: instant(START + 1) });
  const help = {
    kind: 'problem',
    problem: { kind: 'unknown-command', word: text, nearest: [], root: '/fleet' },
  } as const;
  const zone = { kind: 'timezone', asOf: START } as const;
  return [
    ['aliases', { ...names, of: 'alias', rows, done: null }],
    ['saved targets', { ...names, of: 'saved', rows, done: null }],
    ['no saved targets', { ...names, of: 'saved', rows: [], done: null }],
    [
      'an alias that was kept',
      { ...names, of: 'alias', rows, done: { kind: 'kept', name: text, shared: false } },
    ],
    [
      'a saved target that was removed',
      { ...names, of: 'saved', rows, done: { kind: 'removed', name: text, shared: true } },
    ],
    ['a time zone', { ...zone, zone: text, chosen: true, changed: true }],
    ['the time zone of who chose none', { ...zone, zone: 'UTC', chosen: false, changed: false }],
    ['a pause that goes on', { kind: 'pause-card', pause }],
    ['a pause without a reason', { kind: 'pause-card', pause: aPause() }],
    ['a pause that is over', { kind: 'pause-card', pause: over }],
    ['who paused', { kind: 'pause', what: 'begun', pause }],
    ['who paused what was paused', { kind: 'pause', what: 'already', pause }],
    ['who ended an older pause', { kind: 'pause', what: 'newer', pause }],
    ['who ended a pause', { kind: 'pause', what: 'ended', pause: over }],
    ['who paused without a reason', { kind: 'pause', what: 'ask' }],
    ['who said why it is paused', { kind: 'pause', what: 'reason-added', pause }],
    ['who ended no pause', { kind: 'pause', what: 'none' }],
    ...(['ask', 'accepted', 'grown'] as const).map(
      (what): ViewSample => [
        `removals: ${what}`,
        { kind: 'removals', what, doubts: what === 'accepted' ? [] : DOUBTS },
      ],
    ),
    ['what an alias ran', { kind: 'expanded', view: help, name: text, line: text }],
    ['what a sentence was read as', { kind: 'expanded', view: help, name: null, line: text, leftOut: text }],
  ];
}

export function settingProblems(filling: SampleContent): readonly Problem[] {
  const { text } = filling;
  return [
    { kind: 'paused', pause: aPause({ reason: text, by: personId(text) }) },
    { kind: 'names-full', of: 'alias', most: 50, shared: true },
    { kind: 'alias-is-device', name: text },
    { kind: 'no-such-name', of: 'alias', name: text, shared: false, offers: offersWith(filling).slice(-2) },
    { kind: 'no-such-name', of: 'saved', name: text, shared: true, offers: [] },
  ];
}
