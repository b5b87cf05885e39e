/** For every difference between the profiles of the service: how the client handles it, in both profiles. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { PreviewQuery } from '../../../src/fleet/fleet.ts';
import type { Device } from '../../../src/fleet/model/resources.ts';
import { DAY, SECOND } from '../../../src/lib/clock.ts';
import { deviceId, groupId, policyId, queueEntryId } from '../../../src/lib/ids.ts';
import { PROFILE_DIFFERENCES } from '../../../src/sandbox/management/profiles.ts';
import { useStarted } from '../../harness/use-started.ts';
import { rowsOf, type Stage, startStage } from './stage.ts';

describe.each(['documented', 'live'] as const)('the client handles the %s service in', (profile) => {
  const stage = useStarted(() => startStage(profile));
  beforeEach(() => stage.management.reset());

  it.each(Object.entries(PROFILE_CASES))('%s', (_, copes) => copes(stage));
});

it('every difference between the profiles is handled', () => {
  expect(Object.keys(PROFILE_CASES).sort()).toEqual(Object.keys(PROFILE_DIFFERENCES).sort());
  expect(Object.keys(PROFILE_DIFFERENCES).length).toBeGreaterThanOrEqual(15);
});

const WINDOWS = deviceId(4_004);
const GROUP = groupId(3_112);

type ProfileCase = (stage: Stage) => Promise<void>;

async function listed({ reader }: Stage, id: number): Promise<Device | undefined> {
  return (await rowsOf(reader.devices())).find((device) => device.id === id);
}

async function previewed({ reader }: Stage) {
  const filters = [{ field: 'os_family', op: 'not_in', values: ['Linux'] }] as const;
  return rowsOf(reader.preview({ filters, groupIds: [GROUP] }));
}

const PROFILE_CASES: Readonly<Record<keyof typeof PROFILE_DIFFERENCES, ProfileCase>> = {
  async singleDevice({ reader }) {
    expect(await reader.device(WINDOWS)).toMatchObject({ id: WINDOWS, name: 'win-ts-01' });
  },
  async unsetName({ reader }) {
    expect((await reader.device(WINDOWS)).customName).toBeNull();
  },
  async listDetails(stage) {
    const bare = await listed(stage, WINDOWS);
    expect(bare?.detail === null).toBe(stage.profile === 'live');
    expect((await stage.reader.device(WINDOWS)).detail?.cpu).toEqual(expect.any(String));
  },
  async listSwitches({ reader, bare }) {
    const rows = await rowsOf(reader.devices({ withoutPolicyStatus: true }));
    expect(rows).toHaveLength((await bare('/servers')).length);
  },
  async bareUnscannedRows(stage) {
    const unscanned = await listed(stage, 4_010);
    expect(unscanned).toMatchObject({ name: 'desk-01', lastRefreshTime: null });
    expect(unscanned?.deviceStatus === null).toBe(stage.profile === 'live');
  },
  async serverPolicies({ reader, profile }) {
    const { policies, policyStatuses } = await reader.device(WINDOWS);
    expect(policies.map(({ id }) => id)).toEqual(
      profile === 'live' ? policyStatuses.map(({ policyId: id }) => id) : [],
    );
    expect(JSON.stringify(policies)).not.toContain('not-for-chat');
  },
  async newerFields({ reader, profile }) {
    const { compatible, policyStatuses } = await reader.device(WINDOWS);
    expect(compatible).toBe(profile === 'live' ? true : null);
    expect(policyStatuses[0]?.pendingCount).toEqual(profile === 'live' ? expect.any(Number) : null);
  },
  async uptimeUnitMs({ reader, bare }) {
    const [sent] = await bare('/servers/4004');
    expect((await reader.device(WINDOWS)).uptime).toBe(Number(sent?.['uptime']));
  },
  async sparsePackages({ reader, bare, profile }) {
    const sent = await bare('/servers/4001/packages');
    const nameless = sent.filter((row) => !('display_name' in row));
    expect(nameless.length > 0).toBe(profile === 'live');
    const read = await rowsOf(reader.packages(deviceId(4_001)));
    expect(read).toHaveLength(sent.length);
    expect(read.filter(({ displayName }) => displayName === '')).toEqual([]);
  },
  async noCves({ reader }) {
    const packages = await rowsOf(reader.packages(WINDOWS));
    expect(packages.filter(({ cves }) => cves.length === 0).length).toBeGreaterThan(0);
  },
  async logonTime({ reader }) {
    const { detail, lastRefreshTime } = await reader.device(WINDOWS);
    // Nobody has logged on since the seed, where it equals the last scan.
    expect(detail?.lastLogon?.time).toBe(Math.floor((lastRefreshTime ?? 0) / SECOND) * SECOND);
  },
  async emptyLogon({ reader }) {
    const { detail } = await reader.device(WINDOWS);
    expect(detail?.domainNames).toEqual([expect.stringMatching(/\.example\.com$/)]);
  },
  async notificationId({ reader }) {
    // Its form does not matter to the client, which does not read it.
    const events = await rowsOf(reader.events({ name: 'system.notification.sent' }));
    expect(events.length).toBeGreaterThan(0);
  },
  async eventTime({ reader, clock }) {
    const events = await rowsOf(reader.events());
    const ages = events.map(({ createTime }) => clock.now() - (createTime ?? 0));
    expect(Math.min(...ages)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...ages)).toBeLessThan(400 * DAY);
  },
  async queueTime({ reader, writer, clock }) {
    await writer.issue(WINDOWS, { kind: 'scan' });
    expect(await reader.queue(WINDOWS)).toMatchObject([{ execTime: clock.now() }]);
  },
  async queueResponse({ reader, writer, clock, profile }) {
    await writer.issue(WINDOWS, { kind: 'scan' });
    const [sent] = await reader.queue(WINDOWS);
    if (sent === undefined) throw new Error('nothing is in the queue');
    await clock.advance(50 * SECOND);
    expect((await reader.queueEntry(WINDOWS, sent.id))?.response).toEqual({
      exitCode: profile === 'live' ? 0 : null,
    });
    expect(await reader.queueEntry(WINDOWS, queueEntryId(sent.id + 1))).toBeNull();
  },
  async plainCommandFields({ reader, writer }) {
    await writer.issue(WINDOWS, { kind: 'scan' });
    await writer.issue(WINDOWS, { kind: 'reboot' });
    expect(await reader.queue(WINDOWS)).toMatchObject([
      { type: 'GetOS', policyId: null },
      { type: 'Reboot', policyId: null },
    ]);
  },
  async leastRefreshMinutes({ editor, profile }) {
    const outcome = await editor.updateGroup(GROUP, { refreshIntervalMinutes: 240 });
    expect(outcome).toMatchObject(
      profile === 'live'
        ? { kind: 'done', result: { after: { refreshIntervalMinutes: 240 } } }
        : { kind: 'refused', error: { kind: 'invalid', status: null } },
    );
  },
  async notInOperator(stage) {
    expect((await previewed(stage)).map(({ osFamily }) => osFamily)).toContain('Windows');
  },
  async filterOperators(stage) {
    // The client offers each field its documented operators only, which both take.
    expect((await previewed(stage)).length).toBeGreaterThan(0);
  },
  async newerFilterFields({ reader, profile }) {
    const filters = [{ field: 'organizational_unit', op: 'like_any', values: ['OU=Servers'] }] as const;
    const read = rowsOf(reader.preview({ filters, groupIds: [groupId(3_112)] }));
    if (profile === 'documented')
      await expect(read).rejects.toMatchObject({ error: { kind: 'invalid', status: null } });
    else expect((await read).length).toBeGreaterThan(0);
  },
  async previewAddresses(stage) {
    const found = (await previewed(stage)).find(({ id }) => id === WINDOWS);
    const device = await stage.reader.device(WINDOWS);
    expect(found?.privateAddresses).toEqual(device.privateAddresses);
    expect(found?.addresses).toEqual(device.addresses);
  },
  async previewWithoutGroups({ reader }) {
    const query: PreviewQuery = JSON.parse('{"filters": [], "groupIds": []}');
    // Refused before it is sent: the live service would break.
    await expect(rowsOf(reader.preview(query))).rejects.toMatchObject({
      error: { kind: 'invalid', status: null },
    });
  },
  async policyActions({ writer, bare }) {
    const command = { kind: 'policy-remediate', policyId: policyId(2_103) } as const;
    expect(await writer.issue(WINDOWS, command)).toEqual({ kind: 'accepted' });
    expect(await bare('/servers/4004/queues')).toMatchObject([
      { command_type_name: 'policy_2103_remediate' },
    ]);
  },
  async batch({ editor, bare, profile }) {
    const tagged = await editor.tagDevices([WINDOWS], { add: ['till'], remove: [] });
    if (profile === 'documented') {
      expect(tagged).toBeNull();
      return;
    }
    expect(tagged?.[0]?.outcome).toMatchObject({ kind: 'done', result: { unconfirmed: [], notApplied: [] } });
    expect(await bare('/servers/4004')).toMatchObject([{ tags: ['till'] }]);
  },
  async fleetPackages({ reader, profile }) {
    const read = rowsOf(reader.missingPackages());
    if (profile === 'documented') return expect(read).rejects.toMatchObject({ error: { kind: 'missing' } });
    const own = await rowsOf(reader.packages(WINDOWS));
    const missing = (await read).filter((row) => row.deviceId === WINDOWS).map(({ item }) => item);
    expect(missing).toEqual(own.filter(({ installed }) => !installed));
    expect(missing.length).toBeGreaterThan(0);
  },
  async assumedOrganization({ management, profile }) {
    // The client always names the organization.
    const headers = { authorization: `Bearer ${management.apiKey}` };
    const answer = await fetch(`${management.baseUrl}/policies`, { headers });
    expect(answer.status).toBe(profile === 'live' ? 200 : 400);
  },
  async rateHeaders({ reader, figures, bare }) {
    await rowsOf(reader.devices());
    expect(await rowsOf(reader.groups())).toHaveLength((await bare('/servergroups')).length);
    expect(figures()).toBeDefined();
  },
};
