/** What a patch event says: which packages, and why it failed. Pure. */
import type { FleetEvent, PatchMention } from './model.ts';

export type PatchFailure = {
  readonly patches: readonly Pick<PatchMention, 'name' | 'displayName'>[];
  /** The agent's words. */
  readonly words: string | null;
};

/**
 * Assumption (§6): `failure` holds the agent's words; where the row names no patches and `failure` is a single
 * word, it is the patch, as in the vendor's own example (`KB123456`).
 */
export function patchFailure(event: FleetEvent): PatchFailure {
  const patches = event.patches.map(({ name, displayName }) => ({ name, displayName }));
  const words = event.failure ?? event.text;
  if (patches.length === 0 && words !== null && /^\S+$/.test(words)) {
    return { patches: [{ name: words, displayName: null }], words: null };
  }
  return { patches, words };
}
