import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DevicePreviewFilter } from '../../../src/fleet/fleet.ts';
import { policyId } from '../../../src/lib/ids.ts';
import { scheduleText } from '../../../src/views/fleet/policy-list.ts';
import { toCsv } from '../../../src/views/sharing/csv.ts';
import { renderView, type View } from '../../../src/views/views.ts';
import { aDevice, aPolicy, aPolicyStatus, aQueueEntry, aResponse, START } from '../../harness/builders.ts';
import { property } from '../../harness/property.ts';
import { aRequest, aStartedRequest, someFacts } from '../../harness/records.ts';
import { renderedTexts } from '../rendered-text.ts';
import { readyTargets } from '../request-records.ts';

const id = policyId(12);
const test = { kind: 'policy-test', policyId: id } as const;
const remediate = { kind: 'policy-remediate', policyId: id } as const;

const shown = (view: Parameters<typeof renderView>[0]): string =>
  renderedTexts(renderView(view).blocks ?? [])
    .map(({ text }) => text)
    .join('\n');
const request = (status: number | null, name: string | null = 'Harden SSH'): string =>
  shown({
    kind: 'request',
    request: aRequest({
      action: remediate,
      targets: readyTargets(someFacts({ policy: { name, type: 'custom', status, digest: null } })),
    }),
  });

describe('the details of a policy', () => {
  const details = (devices: number) =>
    shown({
      ...{ kind: 'policy', policy: aPolicy({ deviceCount: 61 }), groups: [], asOf: START },
      compliance: { devices, noncompliant: 13, list: { command: 'devices', input: {} } },
    });

  it('state the service’s own count of devices only where it differs', () => {
    expect(details(61)).not.toContain('(per the management service)');
    expect(details(60)).toContain('61 (per the management service)');
  });
});

describe('the card of a remediation', () => {
  it('says what runs where, that scripts run, and that nothing takes it back', () => {
    const card = request(0);
    expect(card).toContain('Remediate policy 12 on web-01');
    expect(card).toContain('Runs the policy and its scripts');
    expect(card).toContain('*Once approved, it’s re-checked and sent, and can’t be canceled.*');
    expect(card).not.toContain('queued command');
  });

  it.each([
    [0, 'needs remediation'],
    [1, 'up to date'],
    [2, 'pending'],
    [9, 'status 9'],
    [null, 'no result'],
  ])('shows how the device stands: %s', (status, words) => {
    expect(request(status)).toContain(`Harden SSH (worklet): ${words}`);
  });

  it('says that nobody named the policy', () => {
    expect(request(0, null)).toContain('Policy (worklet): needs remediation');
  });

  it('lets a name draw nothing but itself', () => {
    const drawn = request(0, '<!channel> *x*');
    expect(drawn).toContain('&lt;!channel&gt;');
    expect(drawn).not.toContain('<!channel>');
  });
});

it('the card of a test names the policy and the device', () => {
  expect(shown({ kind: 'request', request: aStartedRequest({ action: test }) })).toContain(
    'Test policy 12 on web-01',
  );
});

it('the card of a test names the policy where its name is known, and lets it draw nothing but itself', () => {
  const named = (policyName: string) =>
    shown({ kind: 'request', request: aStartedRequest({ action: { ...test, policyName } }) });
  expect(named('Harden SSH')).toContain('Test Harden SSH (policy 12) on web-01');
  expect(named('<!channel> *x*')).not.toContain('<!channel>');
});

describe('a queue', () => {
  const status = aPolicyStatus({ policyId: id, policyType: null, result: null, createTime: null });
  const device = aDevice({ policyStatuses: [status] });
  const queue = (type: string): View => {
    return { kind: 'queue', device, rows: [aQueueEntry({ type })], asOf: START };
  };
  const row = (type: string) => JSON.stringify(renderView(queue(type)).plain);
  const cells = (type: string) => JSON.stringify(renderView(queue(type)).blocks);

  it('shows the exit code of an answer', () => {
    const rows = [aQueueEntry({ response: aResponse(3), responseTime: START })];
    const answered: View = { kind: 'queue', device, rows, asOf: START };
    expect(JSON.stringify(renderView(answered).plain)).toContain('· exit code 3');
    expect(JSON.stringify(renderView(answered).blocks)).toContain('Exit code');
    expect(toCsv(answered)?.text).toContain('exit code');
  });

  it.each([
    ['policy_12_test', '*Test Harden SSH (policy 12)* · queued'],
    ['policy_12_remediate', '*Remediate Harden SSH (policy 12)* · queued'],
    ['policy_13_test', '*Test policy 13* · queued'],
    ['policy_13_undo', '`policy_13_undo` · queued'],
  ])('shows %s as words where it knows them', (type, words) => {
    expect(row(type)).toContain(words);
    // Its table has the same without the markup.
    expect(cells(type)).toContain(words.replace(/[*`]/g, '').split(' · ', 1)[0]);
  });
});

const ALL = { days: 254, weeksOfMonth: 62, months: 8_190, time: '02:00' };

describe('a schedule in words', () => {
  it.each([
    [{}, 'Every day at 2:00 AM'],
    [{ days: 62 }, 'Monday to Friday at 2:00 AM'],
    [{ days: 2 }, 'Monday at 2:00 AM'],
    [{ days: 128 }, 'Sunday at 2:00 AM'],
    [{ days: 2 + 8 + 128 }, 'Monday, Wednesday and Sunday at 2:00 AM'],
    [{ weeksOfMonth: 2 + 8 }, 'Every day at 2:00 AM, in the first and third week of the month'],
    [{ weeksOfMonth: 32 }, 'Every day at 2:00 AM, in the fifth week of the month'],
    [{ months: 2 + 4_096 }, 'Every day at 2:00 AM, in January and December'],
    [{ months: 0 }, 'Every day at 2:00 AM, in no month'],
    [{ weeksOfMonth: 0 }, 'Every day at 2:00 AM, in no week'],
    [{ time: null }, 'Every day'],
    [{ days: 0 }, 'No scheduled days'],
    [{ days: null }, 'On unknown days at 2:00 AM'],
    [{ days: 3 }, 'On unrecognized days (3) at 2:00 AM'],
    [{ days: 256 }, 'On unrecognized days (256) at 2:00 AM'],
    [{ months: 8_192 }, 'Every day at 2:00 AM, in unrecognized months (8192)'],
    [{ days: null, weeksOfMonth: null, months: null }, null],
  ])('%j is “%s”', (given, words) => {
    expect(scheduleText({ ...ALL, ...given })).toBe(words);
  });

  const mask = fc.option(fc.oneof(fc.integer(), fc.double()));
  const schedule = fc.record({
    days: mask,
    weeksOfMonth: mask,
    months: mask,
    time: fc.option(fc.string()),
  });
  property([schedule])('has words for any mask', (given) => {
    expect(scheduleText(given) ?? '').not.toMatch(/undefined/);
  });
});

const words = (...filters: readonly DevicePreviewFilter[]): string => {
  const paging = { command: 'preview', input: {}, page: 0, pages: 1, total: 0, asOf: START };
  const view = { kind: 'preview', question: 'q', input: {}, filters, groups: [], rows: [] } as const;
  return JSON.stringify(renderView({ ...view, total: 0, paging }).blocks);
};

it.each<readonly [readonly DevicePreviewFilter[], string]>([
  [[], 'All devices in all groups.'],
  [
    [
      { field: 'tag', op: 'like_any', values: ['web'] },
      { field: 'hostname', op: 'like_any', values: ['web', 'db'] },
    ],
    'Devices in all groups with a tag that contains `web` and a hostname that contains `web` or `db`.',
  ],
  [
    [{ field: 'ip_addr', op: 'like_any', values: ['10.1.'] }],
    'Devices in all groups with an address that contains `10.1.`.',
  ],
  [
    [{ field: 'organizational_unit', op: 'like_any', values: ['OU=Servers'] }],
    'with an organizational unit that contains `OU=Servers`.',
  ],
  [[{ field: 'tag', op: 'not_like_any', values: ['web'] }], 'with no tag that contains `web`.'],
  [[{ field: 'os_family', op: 'in', values: ['Linux'] }], 'with the operating system `Linux`.'],
  [[{ field: 'os_family', op: 'not_in', values: ['Mac'] }], 'with an operating system other than `Mac`.'],
])('%# says them as a sentence', (filters, said) => {
  expect(words(...filters)).toContain(said);
});
