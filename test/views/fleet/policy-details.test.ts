import { describe, expect, it } from 'vitest';
import { policyId } from '../../../src/lib/ids.ts';
import type { View } from '../../../src/views/model.ts';
import { toCsv } from '../../../src/views/sharing/csv.ts';
import { renderView } from '../../../src/views/views.ts';
import { aDevice, aPolicy, aQueueEntry, aResponse, START } from '../../harness/builders.ts';
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
  const status = {
    policyType: null,
    status: 0,
    result: null,
    createTime: null,
    nextRemediation: null,
    willReboot: null,
    pendingCount: null,
  };
  const device = aDevice({ policyStatuses: [{ ...status, policyId: id, policyName: 'Harden SSH' }] });
  const queue = (type: string): View => {
    return { kind: 'queue', device, rows: [aQueueEntry({ type })], asOf: START };
  };
  const row = (type: string) => JSON.stringify(renderView(queue(type)).plain);
  const cells = (type: string) => JSON.stringify(renderView(queue(type)).blocks);

  it('shows the exit code of an answer, and hides its output, which may hold secrets', () => {
    const rows = [aQueueEntry({ response: aResponse(3, 'token=hunter2'), responseTime: START })];
    const answered: View = { kind: 'queue', device, rows, asOf: START };
    expect(JSON.stringify(renderView(answered).plain)).toContain('· exit code 3');
    expect(JSON.stringify(renderView(answered).blocks)).toContain('Exit code');
    expect(JSON.stringify(renderView(answered))).not.toContain('hunter2');
    expect(toCsv(answered)?.text).toContain('exit code');
    expect(toCsv(answered)?.text).not.toContain('hunter2');
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
