/** What rows of evidence and their sentences are made of. */

import type { ActionKind } from '../../../../src/fleet/model/actions.ts';
import { instant } from '../../../../src/lib/clock.ts';
import { policyId } from '../../../../src/lib/ids.ts';
import type { ErrorFacts, Evidence } from '../../../../src/store/port/evidence.ts';
import { relativeDate } from '../../../../src/views/kit/timestamps.ts';

/** The sentence that a person reads. `action`: a reboot, unless given. */
export type EvidenceRow = readonly [evidence: Evidence, words: string, action?: ActionKind];

/** When something happened, and how it is drawn. */
export const AT = instant(Date.UTC(2026, 5, 5, 4, 0));
export const DRAWN = relativeDate(AT);

export const REBOOT: ActionKind = { kind: 'reboot' };
export const EDIT: ActionKind = { kind: 'device-edit' };
export const GROUP_EDIT: ActionKind = { kind: 'group-edit' };

export const policy = { id: policyId(12), name: 'Harden SSH' };
export const HELD = 'it keeps to the rate limit of the service';

export const timeout: ErrorFacts = {
  kind: 'timeout',
  status: null,
  detail: 'it took too long',
  held: null,
};
export const forbidden: ErrorFacts = { kind: 'forbidden', status: 403, detail: '', held: null };
export const rejected: ErrorFacts = {
  kind: 'invalid',
  status: 422,
  detail: 'no such command',
  held: null,
};
export const throttled: ErrorFacts = { kind: 'throttled', status: 429, detail: '', held: null };
export const held: ErrorFacts = { kind: 'throttled', status: null, detail: '', held: { kind: 'limit' } };
export const unreachable: ErrorFacts = { kind: 'unreachable', status: null, detail: '', held: null };
