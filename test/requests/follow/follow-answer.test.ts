import { describe, expect, it } from 'vitest';
import type { FleetCommand } from '../../../src/fleet/model/actions.ts';
import { MINUTE, SECOND } from '../../../src/lib/clock.ts';
import type { RequestRecord } from '../../../src/store/port/request-records.ts';
import { madePerTest } from '../../harness/use-started.ts';
import { createRequestsSetup } from '../requests-setup.ts';

const reboot: FleetCommand = { kind: 'reboot' };
const patch = { kind: 'patch', packages: ['openssl'] } as const;

const line = madePerTest(createRequestsSetup);

async function approved(command: FleetCommand): Promise<RequestRecord> {
  const request = await line.approved(command);
  return request;
}

describe('a command', () => {
  it('is read alone once its entry is known, and tells its answer after it left the list', async () => {
    const request = await approved(reboot);
    await line.pass(5 * SECOND);
    line.fleet.world.reads = [];
    line.fleet.answer(3);
    line.fleet.leaveList();
    await line.pass(15 * SECOND);
    expect(new Set(line.fleet.world.reads)).toEqual(new Set(['device', 'queue entry']));
    const target = await line.targetFor(request);
    expect(target).toMatchObject({ state: 'answered', response: 'exit code 3' });
    expect(target.evidence[0]).toEqual({ kind: 'answered', exitCode: 3 });
    expect(JSON.stringify(target)).not.toContain('hunter2');
  });

  it('notifies the packages cache of the change, when it ended', async () => {
    await approved(patch);
    await line.pass(5 * SECOND);
    expect(line.learned).toEqual([]);
    line.fleet.answer(0);
    line.fleet.install(...patch.packages);
    await line.pass(MINUTE);
    const [device, packages] = line.learned;
    expect(device).toBe('device 42');
    expect(packages).toMatch(/^packages of 42 at \d+$/);
  });
});
