/** A rollout as its tests begin and control it. */
import type { Role } from '../../../src/lib/access.ts';
import type { DeviceId, RequestId } from '../../../src/lib/ids.ts';
import type { ControlInput } from '../../../src/requests/decide/control-rollout.ts';
import { type PlanOptions, planRollout } from '../../../src/rollout/plan.ts';
import { BOB, createRequestsSetup, type RequestsSetupOptions } from '../requests-setup.ts';

export const scan = { kind: 'scan' } as const;
export const reboot = { kind: 'reboot' } as const;
/** Waves of one, three and all other devices. */
export const ONE_THEN_REST: PlanOptions = {
  waves: [
    { kind: 'devices', devices: 1 },
    { kind: 'devices', devices: 4 },
  ],
  brake: { kind: 'devices', devices: 2 },
};

export type RolloutSetup = Awaited<ReturnType<typeof createRolloutSetup>>;

export async function createRolloutSetup(options: RequestsSetupOptions = {}) {
  const line = await createRequestsSetup(options);
  const { world } = line.fleet;

  const begin = async (
    count: number,
    plan: PlanOptions,
    action: typeof scan | typeof reboot = reboot,
  ): Promise<{ readonly id: RequestId; readonly devices: readonly DeviceId[] }> => {
    const devices = line.fleet.addDevices(count - 1);
    const request = await line.record(action, devices, { plan: planRollout(count, plan) });
    if (action === reboot) await line.approve(request);
    return { id: request.id, devices };
  };

  /** The devices restart, and are back. */
  const restart = (...devices: readonly DeviceId[]): void => {
    for (const id of devices) {
      line.fleet.change({ lastDisconnectTime: line.clock.now(), connected: true }, id);
      world.queues = new Map([...world.queues].filter(([device]) => device !== id));
      if (!world.others.some((one) => one.id === id)) line.fleet.clearQueue();
    }
  };

  const control = (
    requestId: RequestId,
    what: ControlInput['control'],
    person = BOB,
    role: Role = 'approver',
  ) => line.requests.control({ requestId, person, role, control: what });

  return {
    ...line,
    begin,
    restart,
    control,
    posted: () => world.postedTo,
    rolloutOf: async (id: RequestId) => (await line.requestNow({ id })).rollout,
  };
}
