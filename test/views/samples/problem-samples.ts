/** Every kind of problem. */
import type { FleetError } from '../../../src/fleet/fleet.ts';
import type { Reference } from '../../../src/lib/ids.ts';
import type { Problem, UsageFault } from '../../../src/views/model.ts';
import { START } from '../../harness/builders.ts';
import { alertProblems } from './alert-samples.ts';
import { offersWith } from './offer-samples.ts';
import { CHANNEL, repeated, type SampleContent, type ViewSample } from './sample-content.ts';
import { settingProblems } from './setting-samples.ts';
import { softwareProblems } from './software-samples.ts';

const FLEET_KINDS = [
  'unreachable',
  'timeout',
  'unauthorized',
  'forbidden',
  'missing',
  'invalid',
  'broken',
  'unreadable',
  'too-large',
] as const;

/** The same reference in every run. */
const REFERENCE = 'abcd1234' as Reference; // a test's brand

export function problems(filling: SampleContent): readonly ViewSample[] {
  const { text, count } = filling;
  const nearest = repeated(count, () => text);
  const root = '/fleet';
  const faults: readonly UsageFault[] = [
    { kind: 'missing', what: `${text}?` },
    { kind: 'unknown-word', word: text, nearest },
    { kind: 'unknown-word', word: text, nearest: [] },
    { kind: 'unknown-word', word: text, nearest, of: 'saved target' },
    { kind: 'unknown-word', word: text, nearest: [], of: 'saved target' },
    { kind: 'bad-value', word: text, expected: text },
    { kind: 'open-quote', near: text },
    { kind: 'too-long', length: 10_000, limit: 2_000 },
  ];
  const error = { method: 'GET', path: '/servers/{id}', status: 500, detail: text } as const;
  const errors: readonly FleetError[] = [
    ...FLEET_KINDS.map((kind): FleetError => ({ ...error, kind })),
    { ...error, kind: 'throttled', retryAfterMs: 0 },
  ];
  const all: readonly Problem[] = [
    ...settingProblems(filling),
    { kind: 'unknown-command', word: text, nearest, root },
    ...faults.map((fault): Problem => ({ kind: 'usage', command: text, usage: text, fault, root })),
    { kind: 'no-such-device', query: text, nearest },
    { kind: 'device-gone', query: text },
    { kind: 'no-such-group', query: text, nearest },
    { kind: 'nothing-to-install', deviceName: text },
    { kind: 'already-installed', name: text, deviceName: text },
    { kind: 'no-such-package', query: text, deviceName: text, nearest },
    { kind: 'unsendable-package', name: text },
    { kind: 'already-queued', command: { kind: 'patch', packages: nearest }, deviceName: text, since: START },
    { kind: 'already-queued', command: { kind: 'scan' }, deviceName: text, since: null },
    { kind: 'not-allowed', need: text, role: text },
    { kind: 'not-allowed', need: text, role: null },
    { kind: 'rights-unknown', reference: REFERENCE },
    ...errors.map(
      (one): Problem => ({ kind: 'fleet', error: one, changed: 'nothing', reference: REFERENCE }),
    ),
    { kind: 'fleet', error: { ...error, kind: 'timeout' }, changed: 'unknown', reference: REFERENCE },
    ...['not_in_channel', 'is_archived', text].map(
      (slackError): Problem => ({ kind: 'card-refused', channel: CHANNEL, slackError }),
    ),
    { kind: 'card-delayed', channel: CHANNEL, reference: REFERENCE },
    { kind: 'unexpected', changed: 'nothing', reference: REFERENCE },
    { kind: 'unexpected', changed: 'unknown', reference: REFERENCE },
    { kind: 'no-such-policy', query: text, nearest },
    ...softwareProblems(filling),
    ...alertProblems(filling),
    { kind: 'no-such-device', query: text, nearest, offers: offersWith(filling) },
    { kind: 'unknown-command', word: text, nearest, root, offers: offersWith(filling).slice(-1) },
    { kind: 'several-devices', query: text, offers: offersWith(filling) },
    ...[null, { command: 'devices', input: { words: [text], filters: [] } }].map(
      (choice): Problem => ({
        ...{ kind: 'usage', command: text, usage: text, root },
        fault: { kind: 'one-device', filters: text, choice },
      }),
    ),
    ...(['disk-full', 'read-only', 'broken-disk'] as const).map(
      (why): Problem => ({ kind: 'not-stored', why, changed: 'nothing', reference: REFERENCE }),
    ),
    { kind: 'not-stored', why: 'disk-full', changed: 'unknown', reference: REFERENCE },
    { kind: 'none-missing', deviceName: text },
    { kind: 'several-packages', query: text, deviceName: text, names: nearest },
    { kind: 'unsendable-change', fault: { kind: 'tag-both-ways', tag: text } },
    { kind: 'list-doubted', doubt: { list: 'devices', since: START, missing: 140 } },
    { kind: 'unknown-command', word: text, nearest: [], noDevice: true, root },
    ...(['reboot', 'scan'] as const).map(
      (command): Problem => ({
        kind: 'no-schedules',
        when: text,
        does: command === 'scan' ? 'form' : 'set',
        choice: { command, input: { device: text } },
        needsApproval: command === 'scan' ? null : true,
      }),
    ),
    ...[nearest, []].map(
      (unknown): Problem => ({
        kind: 'not-all-devices',
        query: text,
        unknown,
        offers: offersWith(filling).slice(-1),
      }),
    ),
  ];
  const numbered = all.map(
    (problem, at): ViewSample => [`problem ${at + 1}: ${problem.kind}`, { kind: 'problem', problem }],
  );
  return [...numbered, ['problem of a stop', { kind: 'problem', problem: { kind: 'restarting' } }]];
}
