/** The views of `software-model.ts`, and its problems, with one text in every field that others choose. */

import { MINUTE } from '../../../src/lib/clock.ts';
import { deviceId, packIds, personId, policyId } from '../../../src/lib/ids.ts';
import { planRollout } from '../../../src/rollout/plan.ts';
import { topCounts } from '../../../src/rollout/summary.ts';
import type { Problem } from '../../../src/views/views.ts';
import { aDevice, START } from '../../harness/builders.ts';
import { someFacts, somePackages } from '../../harness/records.ts';
import { aSummary } from '../../harness/rollouts.ts';
import { ASKS, RUNS } from '../../harness/rules.ts';
import { aPause } from './answer-samples.ts';
import { offersWith } from './problem-samples.ts';
import { repeated, type SampleContent, sample, type ViewSample } from './sample-content.ts';

export function software(filling: SampleContent): readonly ViewSample[] {
  const { text, count } = filling;
  const device = aDevice({ name: text, customName: text });
  const paging = { command: 'missing', input: { text }, page: 1, pages: 3, total: count, asOf: START };
  const whole = {
    kind: 'missing',
    what: text,
    sought: 'package',
    standing: 'known',
    rows: repeated(count, (at) => ({
      line: { device: { ...device, id: deviceId(at + 1) }, groupName: text },
      packages: repeated(5, () => ({ name: text, displayName: text, version: text, severity: text })),
    })),
    devices: count + 9,
    candidates: count + 3,
    looked: count + 3,
    fromList: 0,
    unread: 0,
    isGoing: false,
    oldest: START,
    offers: [],
    unlisted: 0,
    partial: null,
    overdue: false,
    paging,
  } as const;
  const entry = { name: text, usage: text, summary: text, examples: [text] };
  const plain = { kind: 'explain', command: entry, root: text } as const;
  const targets = repeated(count, (at) => someFacts({ deviceId: deviceId(at + 1), displayName: text }));
  const [first = someFacts()] = targets;
  const leftOut = repeated(count, (at) => ({
    name: `${text}${at}`,
    problem: { kind: 'nothing-to-install', deviceName: text } as const,
  }));
  const plan = { kind: 'explain-plan', need: 'propose', reason: text, targets, pause: null } as const;
  const pause = aPause({ reason: text, by: personId(text) });
  return [
    ['a reading command explained', { ...plain, what: 'read', need: null }],
    ['a setting explained', { ...plain, what: 'setting', need: 'configure' }],
    sample('an installation explained', {
      ...plan,
      command: { kind: 'patch', packages: repeated(count, () => text) },
      targets: [{ ...first, packages: somePackages(...repeated(count, () => text)) }],
      judgement: ASKS,
    }),
    [
      'a scan of several explained',
      { ...plan, pause, command: { kind: 'scan' }, reason: null, judgement: RUNS },
    ],
    sample('a reboot of many explained', {
      ...plan,
      command: { kind: 'reboot' },
      judgement: ASKS,
      leftOut,
      rollout: {
        plan: planRollout(300),
        cost: { requests: 620, ms: 10 * MINUTE },
        summary: aSummary({ groups: topCounts(repeated(count, (at) => `${text}${at % 8}`)), offline: count }),
        list: { ...paging, command: 'explain', input: { list: true }, total: 300 },
      },
    }),
    sample('the devices of a change explained', {
      kind: 'explain-devices',
      command: { kind: 'reboot' },
      devices: count,
      rows: [
        ...targets.map((facts) => ({ kind: 'target', facts }) as const),
        ...leftOut.map((target) => ({ kind: 'left-out', target }) as const),
      ],
      paging: { ...paging, total: count + leftOut.length },
    }),
    sample('who misses a package, to be patched', {
      ...whole,
      changes: {
        kind: 'offered',
        devices: count,
        target: { ids: packIds(Array.from({ length: 900 }, (_, at) => 1_000 + at * 40)).slice(0, 500) },
        patch: { packages: [text], severities: [] },
        isPart: true,
      },
    }),
    ['who misses a package, too many to be patched', { ...whole, changes: { kind: 'too-many' } }],
    ['who misses a package', whole],
    sample('who misses a package, as far as was looked', {
      ...whole,
      looked: 1,
      unread: 1,
      isGoing: true,
      unlisted: count,
      partial: { of: null },
      overdue: true,
    }),
    ['who misses a package, from the list of all devices', { ...whole, looked: 12, fromList: 12 }],
    ['who misses patches of severities', { ...whole, sought: 'severity', what: 'critical,high' }],
    ['who misses a package, read in both ways', { ...whole, looked: 12, fromList: 9 }],
    [
      'nobody misses a package',
      { ...whole, rows: [], looked: 0, oldest: null, offers: offersWith(filling).slice(-1) },
    ],
    [
      'no device knows a package',
      { ...whole, rows: [], standing: 'unknown', offers: offersWith(filling).slice(-1) },
    ],
    ['no missing package is for a CVE', { ...whole, rows: [], sought: 'cve', standing: 'unsure' }],
  ];
}

export function softwareProblems({ text, count }: SampleContent): readonly Problem[] {
  const policy = { id: policyId(2_101), name: text, type: text };
  const others = repeated(count, () => text);
  const notFor = { kind: 'policy-not-for', action: 'test', policy, deviceName: text, others } as const;
  const requests = repeated(count, () => text);
  return [
    { ...notFor, why: 'kind' },
    { ...notFor, why: 'kind', action: 'remediate', policy: { ...policy, type: null }, others: [] },
    { ...notFor, why: 'kind', policy: { ...policy, type: 'patch' } },
    { ...notFor, why: 'device' },
    { kind: 'policy-without-devices', policy: { id: policyId(2_101), name: text } },
    { kind: 'no-such-severity', asked: requests, deviceName: text, there: [{ severity: null, count }] },
    {
      kind: 'no-such-severity',
      asked: ['critical'],
      deviceName: text,
      there: repeated(count, () => ({ severity: text, count })),
    },
  ];
}
