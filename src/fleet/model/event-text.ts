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

/** The same for a stored reason. */
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

/** An update of Windows, as in the vendor's own example; `0x80070643` or `Timeout` is an error. */
const KB_ARTICLE = /^KB\d{6,8}$/i;

/**
 * Assumption (§6): `failure` holds the agent's words; where the row names no patches it may be the patch alone. It is taken
 * for one only where it surely is: an update of Windows, or one of the packages that are `known` to be meant.
 */
export function patchFailure(event: FleetEvent, known: readonly string[] = []): PatchFailure {
  const patches = namedPatches(event.patches);
  const agentText = event.failure ?? event.text;
  if (
    patches.length === 0 &&
    agentText !== null &&
    (KB_ARTICLE.test(agentText) || known.includes(agentText))
  ) {
    return { patches: [{ name: agentText, displayName: null }], agentText: null };
  }
  return { patches, agentText };
}
