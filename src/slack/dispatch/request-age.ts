/** Refuses a change that was asked for too long ago, so that nothing old runs by surprise. */
import { z } from 'zod';
import type { SharedPorts, WriteCommand } from '../../commands/core/command.ts';
import { PERSON_PRIORITY } from '../../commands/targets/resolve-device.ts';
import { FleetFailure } from '../../fleet/fleet.ts';
import { displayName } from '../../fleet/model/resources.ts';
import { ageOf, type Instant } from '../../lib/clock.ts';
import { groupId, requestCardKey } from '../../lib/ids.ts';
import type { RequestWithTargets } from '../../store/port/request-records.ts';
import type { View } from '../../views/model.ts';
import { decidedView, startedView } from './request-view.ts';

export type RequestedChangeInput = {
  readonly command: Pick<WriteCommand, 'name'>;
  readonly input: unknown;
  readonly requestKey: string;
  /** Absent: just now. */
  readonly askedAt: Instant | undefined;
};

/** The message when it is too late; null where the change may still be requested. */
export type CheckRequestAge = (request: RequestedChangeInput) => Promise<View | null>;

type RequestAgePorts = Pick<SharedPorts, 'clock' | 'maxAgeMs'> & {
  readonly inventory: Pick<SharedPorts['inventory'], 'find' | 'groupName'>;
  readonly records: Pick<SharedPorts['records'], 'byRequestKey' | 'cardLink'>;
};

export function createCheckRequestAge({
  ports,
  root,
}: {
  readonly ports: RequestAgePorts;
  readonly root: string;
}): CheckRequestAge {
  const { clock, maxAgeMs, records, inventory } = ports;
  return async ({ command, input, requestKey, askedAt }) => {
    if (askedAt === undefined || ageOf(askedAt, clock.now()) < maxAgeMs) return null;
    const before = await records.byRequestKey(requestKey);
    if (before !== null) return earlierRequestView(before, records);
    const subject = await subjectOf(input, inventory);
    return { kind: 'too-late', command: command.name, again: { input }, subject, askedAt, maxAgeMs, root };
  };
}

/**
 * The answer when the change was asked for in time but the process stopped before answering; null where its request
 * waits and can be shown again.
 */
async function earlierRequestView(
  before: RequestWithTargets,
  records: RequestAgePorts['records'],
): Promise<View | null> {
  if (before.state === 'waiting') return null;
  if (before.expiresAt !== null) return decidedView(before);
  return startedView(before, await records.cardLink(requestCardKey(before)));
}

/** The name of the device or group; its number where the service does not answer or no longer has it. */
async function subjectOf(input: unknown, inventory: RequestAgePorts['inventory']): Promise<string | null> {
  const { device, group, name } = subjectSchema.catch({}).parse(input);
  if (typeof device === 'number')
    return (await nameOrNull(() => deviceName(device, inventory))) ?? `#${device}`;
  if (device !== undefined) return device;
  if (typeof group === 'number')
    return (await nameOrNull(() => inventory.groupName(groupId(group), PERSON_PRIORITY))) ?? `#${group}`;
  return group ?? name ?? null;
}

const nameOrNumber = z.union([z.string(), z.number()]).optional();
/** The name of a new group is tried last: other inputs also carry a name, the one to be given. */
const subjectSchema = z.object({
  device: nameOrNumber,
  group: nameOrNumber,
  name: z.string().optional().catch(undefined),
});

async function deviceName(id: number, { find }: RequestAgePorts['inventory']): Promise<string | null> {
  const found = await find(`#${id}`, { ...PERSON_PRIORITY, exact: true });
  return found.kind === 'one' ? displayName(found.device) : null;
}

async function nameOrNull(read: () => Promise<string | null>): Promise<string | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof FleetFailure) return null;
    throw error;
  }
}
