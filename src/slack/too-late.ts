/** Keeps a change that was asked for too long ago from being asked for now: nothing old runs by surprise. */
import { z } from 'zod';
import { ageOf, type Instant } from '../clock.ts';
import type { Requested, SharedPorts, WriteCommand } from '../commands/command.ts';
import { PERSON } from '../commands/targets/resolve.ts';
import { FleetFailure } from '../fleet/fleet.ts';
import { displayName } from '../fleet/model.ts';
import { cardKey, groupId } from '../ids.ts';
import type { View } from '../views/model.ts';

export type AskedChange = {
  readonly command: Pick<WriteCommand, 'name'>;
  readonly input: unknown;
  readonly requestKey: string;
  /** Absent: just now. */
  readonly askedAt: Instant | undefined;
};

/** What the person is told where it is too late; null where it may be asked for. */
export type TooLate = (asked: AskedChange) => Promise<View | null>;

type Ports = Pick<SharedPorts, 'clock' | 'maxAgeMs'> & {
  readonly inventory: Pick<SharedPorts['inventory'], 'find' | 'groupName'>;
  readonly records: Pick<SharedPorts['records'], 'requested' | 'cardLink'>;
};

export function createTooLate({ ports, root }: { readonly ports: Ports; readonly root: string }): TooLate {
  const { clock, maxAgeMs, records, inventory } = ports;
  return async ({ command, input, requestKey, askedAt }) => {
    if (askedAt === undefined || ageOf(askedAt, clock.now()) < maxAgeMs) return null;
    const before = await records.requested(requestKey);
    if (before !== null) return requestedBefore(before, records);
    const subject = await subjectOf(input, inventory);
    return { kind: 'too-late', command: command.name, again: { input }, subject, askedAt, maxAgeMs, root };
  };
}

/** It was asked for in time, and we ended before it was answered; null where its request waits, to be said anew. */
async function requestedBefore(before: Requested, records: Ports['records']): Promise<View | null> {
  if (before.kind === 'approval') {
    const { approval } = before;
    const { state, decidedBy: by, decidedAt: at } = approval;
    if (state === 'waiting') return null;
    return { kind: 'decided', outcome: { kind: 'already', approval, state, by, at } };
  }
  const { id: operationId, command, targets } = before.operation;
  const names = targets.map(({ displayName }) => displayName);
  const link = await records.cardLink(cardKey('operation', operationId));
  return { kind: 'started', operationId, command, names, link };
}

/** The device or group by its name; by its number where the service does not say, or knows it no more. */
async function subjectOf(input: unknown, inventory: Ports['inventory']): Promise<string | null> {
  const { device, group, name } = named.catch({}).parse(input);
  if (typeof device === 'number') return (await nameOr(() => deviceName(device, inventory))) ?? `#${device}`;
  if (device !== undefined) return device;
  if (typeof group === 'number')
    return (await nameOr(() => inventory.groupName(groupId(group), PERSON))) ?? `#${group}`;
  return group ?? name ?? null;
}

const ref = z.union([z.string(), z.number()]).optional();
/** The name of a new group comes last: other inputs have a name too, which is to be given. */
const named = z.object({ device: ref, group: ref, name: z.string().optional().catch(undefined) });

async function deviceName(id: number, { find }: Ports['inventory']): Promise<string | null> {
  const found = await find(`#${id}`, { ...PERSON, exact: true });
  return found.kind === 'one' ? displayName(found.device) : null;
}

async function nameOr(read: () => Promise<string | null>): Promise<string | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof FleetFailure) return null;
    throw error;
  }
}
