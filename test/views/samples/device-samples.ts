/** The views of `device-model.ts`, with one text in every field that others choose. */
import type { DeviceDetail } from '../../../src/fleet/model/resources.ts';
import { eventId, personId, policyId } from '../../../src/lib/ids.ts';
import type { View } from '../../../src/views/model.ts';
import { aDevice, anEvent, aPolicy, START } from '../../harness/builders.ts';
import { aRequest, aTarget } from '../../harness/records.ts';
import { aSentRequest, quoting } from '../request-records.ts';
import { repeated, type SampleContent, type ViewSample } from './sample-content.ts';

const PAGES = ['hardware', 'volumes', 'network', 'updates', 'policies'] as const;

export function deviceSamples(filling: SampleContent): readonly ViewSample[] {
  const { text, count } = filling;
  const device = wholeDevice(filling);
  const bare = aDevice({ detail: null, compliant: null, policyStatus: null, patches: null, uptime: null });
  const page = (of: (typeof PAGES)[number]): View => ({ kind: 'device-page', page: of, device, asOf: START });
  const events = repeated(count, (at) =>
    anEvent({
      id: eventId(at + 1),
      name: ['system.patch.failed', 'system.patch.applied', text][at % 3] ?? text,
      text,
      createTime: at === 0 ? null : START,
    }),
  );
  const paging = { command: 'device', input: { device: text }, page: 1, pages: 3, total: count, asOf: START };
  const target = aTarget({ displayName: text });
  const requests = [
    aRequest({ reason: text }),
    aSentRequest({ reason: text, comment: text, targets: [target] }),
    aSentRequest({ targets: [{ ...target, state: 'verified', endedAt: START }] }),
    aSentRequest({ targets: [{ ...target, state: 'refused', endedAt: START, evidence: quoting(text) }] }),
    aSentRequest({ state: 'denied', comment: text, action: { kind: 'device-remove' } }),
  ].map((request) => ({ request, link: 'https://example.slack.com/card' }));
  return [
    ...PAGES.flatMap((of): ViewSample[] => [
      [`a device: ${of}`, page(of)],
      [`a device that reported nothing: ${of}`, { kind: 'device-page', page: of, device: bare, asOf: START }],
      [`a device for a channel: ${of}`, { kind: 'shared', view: page(of), by: BY }],
    ]),
    ['a timeline', { kind: 'timeline', device, rows: [...requests, ...events], since: START, paging }],
    ['a device with its latest requests', { kind: 'device', device: bare, groupName: text, requests }],
  ];
}

const BY = personId('UOPERATOR');

function wholeDevice({ text, count }: SampleContent) {
  const policies = repeated(count, (at) => aPolicy({ id: policyId(at + 1), name: text, type: text }));
  return aDevice({
    name: text,
    customName: text,
    serialNumber: text,
    lastLoggedInUser: text,
    addresses: repeated(count, () => text),
    privateAddresses: [text],
    notes: text,
    organizationalUnit: text,
    instanceId: text,
    policies,
    policyCompliance: policies.map(({ id }) => ({ policyId: id, compliant: id % 2 === 0 })),
    policyStatuses: policies.map(({ id }) => ({
      policyId: id,
      policyName: text,
      policyType: text,
      status: 2,
      result: text,
      createTime: START,
      nextRemediation: START,
      willReboot: true,
      pendingCount: 3,
    })),
    deferrals: {
      notifications: 1,
      rebootNotifications: 2,
      patchDeferrals: 3,
      rebootDeferrals: 1,
      delayedByNotification: true,
      rebootDelayedByNotification: true,
      delayedByUser: true,
      rebootDelayedByUser: true,
    },
    detail: detail(text, count),
  });
}

function detail(text: string, count: number): DeviceDetail {
  return {
    networkCards: repeated(count, (at) => ({
      type: text,
      mac: text,
      addresses: repeated(Math.min(count, 50), () => text),
      connected: at % 2 === 0,
      vendor: text,
      device: text,
    })),
    addresses: repeated(count, (at) => `${text}${at}`),
    domainNames: repeated(count, () => text),
    lastLogon: { source: text, user: text, time: START },
    volumes: repeated(count, (at) => ({
      name: text,
      label: text,
      fileSystem: text,
      systemDisk: at === 0,
      sizeBytes: 500_000_000_000,
      freeBytes: at === 0 ? 40_000_000_000 : 240_000_000_000,
      sent: { size: null, free: null },
    })),
    disks: repeated(count, () => ({ type: text, sizeBytes: 1_000_202_273_280, sent: null })),
    ramBytes: 8_589_934_592,
    ramSent: null,
    cpu: text,
    vendor: text,
    model: text,
    version: text,
    serial: `${text}!`,
    serviceTag: text,
    shellVersion: text,
    wmiIntegrity: text,
    wsus: { managed: true, server: text, reachable: false },
    autoUpdate: { enabled: true, options: repeated(count, () => text) },
    updateSource: { connected: false, error: text },
    distinguishedName: text,
  };
}
