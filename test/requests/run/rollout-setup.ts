import type { FleetAction } from '../../../src/fleet/model/actions.ts';
import type { Role } from '../../../src/lib/access.ts';
import { MINUTE } from '../../../src/lib/clock.ts';
import type { DeviceId, RequestId } from '../../../src/lib/ids.ts';
import type { ControlInput } from '../../../src/requests/decide/control-rollout.ts';
import { type PlanOptions, planRollout } from '../../../src/rollout/plan.ts';
import { fleetAt } from '../../fleet/harness.ts';
import { type Reply, type ScriptedServer, scriptedServer } from '../../fleet/scripted-server.ts';
import { controlAsPeopleDo } from '../../harness/through-window.ts';
import { ORGANIZATION } from '../fleet-builders.ts';
import { BOB, createRequestsSetup, type RequestsSetupOptions, reboot } from '../requests-setup.ts';

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
    action: FleetAction = reboot,
  ): Promise<{ readonly id: RequestId; readonly devices: readonly DeviceId[] }> => {
    const devices = line.fleet.addDevices(count - 1);
    const request = await line.record(action, devices, { plan: planRollout(count, plan) });
    if (request.state === 'waiting') await line.approve(request);
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
  ) => controlAsPeopleDo(line, { requestId, person, role, control: what });

  return {
    ...line,
    begin,
    restart,
    control,
    posted: () => world.postedTo,
    rolloutOf: async (id: RequestId) => (await line.requestNow({ id })).rollout,
  };
}

/** Commands are sent by the real client to a real server. */
const sendingTo = ({ url }: ScriptedServer): RequestsSetupOptions => ({
  writer: (_simulated, clock) => fleetAt(url, { clock, organizationId: ORGANIZATION }).writer,
});

/** A rollout of reboots whose commands a real server answers, by their number. */
export async function beginAtServer(count: number, plan: PlanOptions, reply: (index: number) => Reply) {
  const service = await scriptedServer((_seen, index) => reply(index));
  const line = await createRolloutSetup(sendingTo(service));
  const { id, devices } = await line.begin(count, plan);
  /** Devices restart again and again while so many looks pass. */
  const goOn = async (looks: number, everyMs = 2 * MINUTE) => {
    for (let passed = 0; passed < looks; passed += 1) {
      await line.pass(everyMs);
      line.restart(...devices);
    }
    return line.requestNow({ id });
  };
  return { line, id, service, goOn };
}

/** How many requests are for a device that had one before. */
export const sentTwice = (requests: ScriptedServer['requests']): number =>
  requests.length - new Set(requests.map(({ path }) => path)).size;
