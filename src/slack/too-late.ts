/** Keeps a change that was asked for too long ago from being asked for now: nothing old runs by surprise. */
import { ageOf, type Instant } from '../clock.ts';
import type { Requested, SharedPorts, WriteCommand } from '../commands/command.ts';
import { cardKey } from '../ids.ts';
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
  readonly inventory: Pick<SharedPorts['inventory'], 'suggest'>;
  readonly records: Pick<SharedPorts['records'], 'requested' | 'cardLink'>;
};

export function createTooLate({ ports, root }: { readonly ports: Ports; readonly root: string }): TooLate {
  const { clock, maxAgeMs, records, inventory } = ports;
  return async ({ command, input, requestKey, askedAt }) => {
    if (askedAt === undefined || ageOf(askedAt, clock.now()) < maxAgeMs) return null;
    const before = await records.requested(requestKey);
    if (before !== null) return requestedBefore(before, records);
    const subject = subjectOf(input, inventory);
    return { kind: 'too-late', command: command.name, input, subject, askedAt, maxAgeMs, root };
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
  const deviceName = targets.map(({ displayName }) => displayName).join(', ');
  const link = await records.cardLink(cardKey('operation', operationId));
  return { kind: 'started', operationId, command, deviceName, link };
}

/** The device or group by its name, as far as that is known without asking the service. */
function subjectOf(input: unknown, { suggest }: Ports['inventory']): string | null {
  if (typeof input !== 'object' || input === null) return null;
  for (const [key, kind] of NAMED) {
    const ref: unknown = Object.entries(input).find(([name]) => name === key)?.[1];
    if (typeof ref === 'string') return ref;
    if (typeof ref !== 'number') continue;
    const known = suggest(kind, `#${ref}`, 1).find(({ id }) => id === ref);
    return known?.label ?? `#${ref}`;
  }
  return null;
}

/** The name of a new group comes last: other inputs have a name too, which is to be given. */
const NAMED = [
  ['device', 'device'],
  ['group', 'group'],
  ['name', 'group'],
] as const;
