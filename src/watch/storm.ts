/** Which alerts stand on one card together: pure. */
import { createHash } from 'node:crypto';
import { MINUTE } from '../clock.ts';
import { isOfPolicy, shownReason } from '../fleet/script-output.ts';
import type { AlertRecord } from '../store/records.ts';
import { fold } from '../text.ts';

/** From its first alert on a card takes more of the same for so long; what comes later begins a new one. */
export const STORM_MS = 15 * MINUTE;

/**
 * Equal for alerts that say the same of different devices: kind, patches, policy and reason. Null for one that stands
 * alone: a new device, which is looked at by itself, and what states no cause, since two of those need not be one.
 */
export function stormKey({ kind, packages, policyId, exitCode, reason }: AlertRecord): string | null {
  if (kind === 'device-added') return null;
  if (kind === 'patch-failed' && packages.length === 0) return null;
  if (isOfPolicy(kind) && policyId === null) return null;
  const names = packages.map(({ name }) => fold(name)).toSorted();
  // One patch that fails by several policies fails for one reason.
  const policy = kind === 'patch-failed' ? [] : [policyId, exitCode];
  const said = JSON.stringify([kind, names, policy, fold(shownReason({ kind, reason }) ?? '')]);
  return createHash('sha256').update(said).digest('hex').slice(0, 32);
}
