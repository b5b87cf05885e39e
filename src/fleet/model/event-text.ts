/**
 * The script output of a policy (§6) may hold secrets and names of people. No card, list, file or alert shows it:
 * they show the exit code, and the service's console has the rest. Pure.
 */

import type { AnyEventKind } from './event-kinds.ts';
import { POLICY_ACTION } from './event-names.ts';
import type { FleetEvent, PatchMention } from './resources.ts';

/** The texts of an event that may be shown. `hidden`: there are others. */
export function shownEventText({ name, failure, text }: Pick<FleetEvent, 'name' | 'failure' | 'text'>): Pick<
  FleetEvent,
  'failure' | 'text'
> & {
  readonly hidden: boolean;
} {
  if (name !== POLICY_ACTION) return { failure, text, hidden: false };
  return { failure: null, text: null, hidden: failure !== null || text !== null };
}

/** The same for a stored reason, also of earlier versions. */
export function shownStoredReason({
  kind,
  reason,
}: {
  readonly kind: AnyEventKind;
  readonly reason: string | null;
}): string | null {
  return isPolicyEventKind(kind) || reason === '' ? null : reason;
}

/** Whether a script ran for events of this kind. */
export function isPolicyEventKind(kind: AnyEventKind): boolean {
  return kind === 'policy-failed' || kind === 'policy-run';
}

/** A patch as an alert keeps it; the version is there where the agent stated it. */
export type NamedPatch = Pick<PatchMention, 'name' | 'displayName'> & {
  readonly version?: string | undefined;
};

export function namedPatches(patches: readonly PatchMention[]): readonly NamedPatch[] {
  return patches.map(({ name, displayName, version }) => ({
    name,
    displayName,
    ...(version === null || version === '' ? {} : { version }),
  }));
}

/** What a patch event says: which packages failed, and why. */
export type PatchFailure = {
  readonly patches: readonly NamedPatch[];
  /** The agent's words. */
  readonly agentText: string | null;
};

/**
 * Assumption (§6): `failure` holds the agent's words; where the row names no patches and `failure` is a single
 * word, it is the patch, as in the vendor's own example (`KB123456`).
 */
export function patchFailure(event: FleetEvent): PatchFailure {
  const patches = namedPatches(event.patches);
  const agentText = event.failure ?? event.text;
  if (patches.length === 0 && agentText !== null && /^\S+$/.test(agentText)) {
    return { patches: [{ name: agentText, displayName: null }], agentText: null };
  }
  return { patches, agentText };
}
