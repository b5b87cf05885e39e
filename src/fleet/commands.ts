/** Commands as the service spells them in a queue (§4.3): one pair of functions, one spelling. */
import { policyId } from '../ids.ts';
import type { FleetCommand } from './model.ts';

export type WireCommand = { readonly type: string; readonly args: string };

export type Encoded =
  | { readonly kind: 'encoded'; readonly command: WireCommand }
  /** The interface has no way to say this; nothing is sent. */
  | {
      readonly kind: 'inexpressible';
      readonly reason: 'no-packages' | 'package-name';
      readonly name: string;
    };

/** Package names are joined by spaces and sometimes quoted as a whole (§4.3), so neither can be part of a name. */
const INEXPRESSIBLE = /[\s"\p{Cc}]/u;

/** What `POST /servers/{id}/queues` takes for `command`. */
export function encodeCommand(command: FleetCommand): Encoded {
  switch (command.kind) {
    case 'scan':
      return encoded('GetOS');
    case 'reboot':
      return encoded('Reboot');
    case 'patch-all':
      return encoded('InstallAllUpdates');
    case 'patch':
      return encodePatch(command.packages);
    case 'policy-test':
      return encoded(`policy_${command.policyId}_test`);
    case 'policy-remediate':
      return encoded(`policy_${command.policyId}_remediate`);
  }
}

function encodePatch(packages: readonly string[]): Encoded {
  if (packages.length === 0) return { kind: 'inexpressible', reason: 'no-packages', name: '' };
  const odd = packages.find((name) => name === '' || INEXPRESSIBLE.test(name));
  if (odd !== undefined) return { kind: 'inexpressible', reason: 'package-name', name: odd };
  return encoded('InstallUpdate', packages.join(' '));
}

function encoded(type: string, args = ''): Encoded {
  return { kind: 'encoded', command: { type, args } };
}

/** The command that a queue entry stands for; null for types that we never send ("", newer ones). */
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

const POLICY = /^policy_([1-9]\d{0,15})_(test|remediate)$/;

function decodePolicy(type: string): FleetCommand | null {
  const [, digits, verb] = POLICY.exec(type) ?? [];
  const id = Number(digits);
  if (!Number.isSafeInteger(id)) return null;
  return { kind: verb === 'test' ? 'policy-test' : 'policy-remediate', policyId: policyId(id) };
}
