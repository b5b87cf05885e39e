import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { complianceCommand } from '../../../src/commands/compliance.ts';
import { devicesCommand } from '../../../src/commands/devices.ts';
import { groupsCommand } from '../../../src/commands/groups.ts';
import { createResultCaches } from '../../../src/commands/lists/result-cache.ts';
import { missingCommand } from '../../../src/commands/missing.ts';
import { statusCommand } from '../../../src/commands/status.ts';
import type { ConfigurationFile } from '../../../src/config/configuration-file.ts';
import { createInventory } from '../../../src/inventory/inventory-service.ts';
import { createMissingPatchIndex } from '../../../src/inventory/missing-patches/missing-patch-index.ts';
import { channelId, deviceId, personId } from '../../../src/lib/ids.ts';
import { DEFAULT_ROLLOUT_LIMITS } from '../../../src/lib/rollout-limits.ts';
import { DEFAULT_ASKING } from '../../../src/rules/rules.ts';
import { createReadHomeData } from '../../../src/slack/home/app-home.ts';
import { renderView } from '../../../src/views/views.ts';
import { testPorts } from '../../commands/harness/ports.ts';
import { runCommand } from '../../commands/harness/typed-line.ts';
import { rowsOf, type Stage, startStage } from '../../fleet/against-the-service/stage.ts';
import { aDevice } from '../../harness/builders.ts';
import { memoryStore } from '../../harness/memory-store.ts';
import { noMissingPatchesSaved, nothingSaved } from '../../harness/nothing-saved.ts';
import { NO_GROUPS } from '../../harness/rules.ts';

const nobody = { people: [], userGroups: [] };
const PEOPLE = { roleOf: async () => ({ role: 'viewer', maybe: null }) as const, ...NO_GROUPS };
const POLICY: ConfigurationFile = {
  roles: { viewer: nobody, operator: nobody, approver: nobody, admin: nobody },
  channels: { approvals: channelId('C1'), patchAlerts: channelId('C2'), newDevices: channelId('C3') },
  personal: 'viewer',
  personalChannels: [],
  externalChannels: [],
  otherTeams: [],
  text: '',
  approvalRules: { rules: [], otherwise: DEFAULT_ASKING, timezone: 'UTC', tests: [], digest: '' },
  changes: { maxAgeMs: 900_000 },
  rollouts: DEFAULT_ROLLOUT_LIMITS,
};

/** The seeded fleet, as every screen counts it. */
describe('one number', () => {
  let stage: Stage;
  let ports: ReturnType<typeof testPorts>['ports'];
  beforeAll(async () => {
    stage = await startStage('live', 240);
    const { reader: fleet, clock } = stage;
    const inventory = createInventory({ fleet, clock, store: nothingSaved });
    const missingPatches = createMissingPatchIndex({
      fleet,
      clock,
      onNames: inventory.learnPackages,
      ...noMissingPatchesSaved,
    });
    ports = {
      ...testPorts({}).ports,
      fleet,
      clock,
      inventory,
      missingPatches,
      results: createResultCaches(clock),
    };
  });
  afterAll(() => stage.stop());

  const totalOf = async (question: string) =>
    (await runCommand(devicesCommand, 'devices', question, ports)).paging.total;
  const homeFleet = async () => {
    const read = createReadHomeData({
      store: await memoryStore(),
      people: PEOPLE,
      ports,
      configuration: POLICY,
      root: '/fleet',
      onFleet: () => {},
    });
    const { fleet } = await read(personId('UVIEWER'));
    if (fleet.kind !== 'counted') throw new Error(fleet.kind);
    return fleet;
  };

  it('is the same on the Home, in lists, their totals and compliance, as the service has it', async () => {
    const all = await rowsOf(stage.reader.devices());
    const home = await homeFleet();
    const { totals, paging } = await runCommand(devicesCommand, 'devices', '', ports);
    const report = await runCommand(complianceCommand, 'compliance', '', ports);
    const { index } = await runCommand(statusCommand, 'status', '', ports);
    const tree = await runCommand(groupsCommand, 'groups', '', ports);
    const pending = all.filter(({ pendingPatches }) => (pendingPatches ?? 0) > 0).length;
    const noncompliant = all.filter(({ compliant }) => compliant === false).length;

    expect([paging.total, home.devices, report.devices, index?.devices, tree.devices]).toEqual(
      Array.from({ length: 5 }, () => all.length),
    );
    expect([home.pending, totals?.pending, await totalOf('is:pending')]).toEqual([pending, pending, pending]);
    const asNoncompliant = [home.noncompliant, totals?.noncompliant, report.noncompliant];
    expect([...asNoncompliant, await totalOf('is:noncompliant')]).toEqual(
      Array.from({ length: 4 }, () => noncompliant),
    );
    expect([home.offline, totals?.offline]).toEqual([
      await totalOf('is:offline'),
      await totalOf('is:offline'),
    ]);
    expect([home.needsReboot, totals?.needsReboot]).toEqual([
      await totalOf('is:needs-reboot'),
      await totalOf('is:needs-reboot'),
    ]);
    const groupsOf = await runCommand(complianceCommand, 'compliance', 'groups', { ...ports, pageSize: 50 });
    expect(groupsOf.rows.reduce((sum, row) => sum + row.noncompliant, 0)).toBe(noncompliant);
  });

  it('of another thing has another name: missing patches hold those that are ignored or deferred', async () => {
    const all = await rowsOf(stage.reader.devices());
    const available = all.filter(({ patches }) => (patches ?? 0) > 0).length;
    const pending = await totalOf('is:pending');
    expect(available).toBeGreaterThan(pending);
    const view = await runCommand(missingCommand, 'missing', 'openssl', ports);
    expect([view.candidates, view.devices]).toEqual([available, all.length]);
    expect(renderView(view).text).toContain(
      `${available} devices with missing patches, required by policies or not (out of ${all.length} devices)`,
    );
    const list = JSON.stringify(renderView(await runCommand(devicesCommand, 'devices', '', ports)));
    expect(list).toContain(`${pending} with pending patches`);
  });

  it('counts a device by the number of its patches, and by the flag where there is no number', async () => {
    const odd = testPorts({
      devices: [
        aDevice({ id: deviceId(1), pending: true, pendingPatches: 0 }),
        aDevice({ id: deviceId(2), pending: true, pendingPatches: null }),
      ],
    });
    const { totals, rows } = await runCommand(devicesCommand, 'devices', 'is:pending', odd.ports);
    expect([totals?.pending, rows.length]).toEqual([1, 1]);
  });
});
