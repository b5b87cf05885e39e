/** Commands as the service writes them in a queue (§4.3): one pair of functions to encode and decode. */

import { policyId } from '../lib/ids.ts';
import { byKind } from '../lib/record-fields.ts';
import type { FleetCommand } from './model/actions.ts';
import type { QueueEntry, QueueResponse } from './model/resources.ts';

export type WireCommand = { readonly type: string; readonly args: string };

export type EncodedCommand =
  | { readonly kind: 'encoded'; readonly command: WireCommand }
  /** The interface can't express this; nothing is sent. */
  | {
      readonly kind: 'inexpressible';
      readonly reason: 'no-packages' | 'package-name';
      readonly name: string;
    };

/** Package names are joined by spaces and sometimes quoted as a whole (§4.3), so a name can contain neither. */
const INEXPRESSIBLE = /[\s"\p{Cc}]/u;

/** The body of `POST /servers/{id}/queues` for `command`. */
export const encodeCommand = byKind<FleetCommand, EncodedCommand>({
  scan: encodedCommand('GetOS'),
  reboot: encodedCommand('Reboot'),
  'patch-all': encodedCommand('InstallAllUpdates'),
  patch: ({ packages }) => encodePatch(packages),
  'policy-test': ({ policyId }) => encodedCommand(`policy_${policyId}_test`),
  'policy-remediate': ({ policyId }) => encodedCommand(`policy_${policyId}_remediate`),
});

function encodePatch(packages: readonly string[]): EncodedCommand {
  if (packages.length === 0) return { kind: 'inexpressible', reason: 'no-packages', name: '' };
  const invalid = packages.find((name) => name === '' || INEXPRESSIBLE.test(name));
  if (invalid !== undefined) return { kind: 'inexpressible', reason: 'package-name', name: invalid };
  return encodedCommand('InstallUpdate', packages.join(' '));
}

function encodedCommand(type: string, args = ''): EncodedCommand {
  return { kind: 'encoded', command: { type, args } };
}

/** The command of a queue entry; null for types that we never send ("", newer ones). */
export function decodeCommand({ type, args }: WireCommand): FleetCommand | null {
  switch (type) {
    case 'GetOS':
      return { kind: 'scan' };
    case 'Reboot':
      return { kind: 'reboot' };
    case 'InstallAllUpdates':
      return { kind: 'patch-all' };
    case 'InstallUpdate': {
      const packages = args
        .replaceAll('"', ' ')
        .split(/\s+/)
        .filter((name) => name !== '');
      return packages.length === 0 ? null : { kind: 'patch', packages };
    }
    default:
      return decodePolicy(type);
  }
}

const POLICY_COMMAND = /^policy_([1-9]\d{0,15})_(test|remediate)$/;

function decodePolicy(type: string): FleetCommand | null {
  const [, digits, verb] = POLICY_COMMAND.exec(type) ?? [];
  const id = Number(digits);
  if (!Number.isSafeInteger(id)) return null;
  return { kind: verb === 'test' ? 'policy-test' : 'policy-remediate', policyId: policyId(id) };
}

/** Whether the entry has no answer yet. Assumption (§2.7): a response or the time of one is an answer. */
export function isUnanswered(entry: Pick<QueueEntry, 'response' | 'responseTime'>): boolean {
  return entry.response === null && entry.responseTime === null;
}

/** A waiting entry that would do the same, whoever added it; null when there is none. */
export function findQueuedDuplicate(command: FleetCommand, queue: readonly QueueEntry[]): QueueEntry | null {
  return queue.find((entry) => isUnanswered(entry) && isSameCommand(command, entry)) ?? null;
}

/** Whether the entry is this command, with its packages in any order. */
export function isSameCommand(command: FleetCommand, entry: QueueEntry): boolean {
  const other = decodeCommand(entry);
  if (other === null || other.kind !== command.kind) return false;
  if ('policyId' in command) return 'policyId' in other && other.policyId === command.policyId;
  if (command.kind !== 'patch' || other.kind !== 'patch') return true;
  const names = new Set(command.packages);
  return other.packages.every((name) => names.has(name)) && names.size === new Set(other.packages).size;
}

const STORED_EXIT_CODE = /^exit code (-?\d{1,10})$/;

/** Its exit code alone: its output may hold secrets. Empty when the answer has none. */
export function toStoredAnswer(response: QueueResponse | null): string {
  const exitCode = response?.exitCode ?? null;
  return exitCode === null ? '' : `exit code ${exitCode}`;
}

/** The exit code in a stored text; null when there is none. */
export function exitCodeOfStored(stored: string | null): number | null {
  const [, code] = STORED_EXIT_CODE.exec(stored ?? '') ?? [];
  return code === undefined ? null : Number(code);
}
