/** Whether whoever decides on an edit can read on its card all that it sets. Pure. */
import type { Change } from './changes.ts';

/** All that one edit sets has a place on its card up to this length, as it is sent. */
export const MOST_READABLE = 1_800;

export function isReadable(changes: readonly Change[]): boolean {
  const lengths = changes.flatMap(({ after, difference }) =>
    difference === undefined
      ? lengthOf(after)
      : [difference.added, difference.removed].map((items) => lengthOf(items.join(', '))),
  );
  return lengths.reduce((sum, length) => sum + length, 0) <= MOST_READABLE;
}

/** Three characters are escaped for Slack, and others for JSON. */
function lengthOf(text: string): number {
  return JSON.stringify(text.replace(/[&<>]/g, '&amp;')).length;
}
