/** Notes below lists and counts of devices that may be incomplete or out of date. */
import { type Mrkdwn, md } from '../kit/escape.ts';
import { relativeDate } from '../kit/timestamps.ts';
import type { DoubtedList } from '../models/doubted-list.ts';
import { countText } from '../text/common-text.ts';

export const ONE_OF: Readonly<Record<DoubtedList['list'], string>> = {
  devices: 'device',
  groups: 'group',
  policies: 'policy',
};

/** What happened, as a sentence. */
export function doubtText({ list, since, missing }: DoubtedList): Mrkdwn {
  const missed = countText(missing, ONE_OF[list], list);
  return md`The management service’s list has lacked ${missed} since ${relativeDate(since)}.`;
}

export type Completeness = {
  /** How many devices, at most, could not be read. */
  readonly unlisted: number;
  /** Not null while the fleet is being read for the first time. `of`: the number of devices, where it is known. */
  readonly partial?: { readonly of: number | null } | null;
  /** A refresh was due and failed, so older data is shown. */
  readonly overdue?: boolean;
  readonly doubts?: readonly DoubtedList[];
};

/** One sentence for each reason. `verb`: the participle for unread devices, such as `listed` or `counted`. */
export function completenessNotes(
  { unlisted, partial = null, overdue, doubts = [] }: Completeness,
  verb: Mrkdwn,
): readonly Mrkdwn[] {
  const all =
    partial === null || partial.of === null ? md`` : md` (${countText(partial.of, 'device')} in total)`;
  return [
    partial === null ? null : md`The fleet is still loading for the first time. Results are partial${all}.`,
    overdue === true ? md`Couldn’t refresh from the management service. Showing the last known data.` : null,
    ...doubts.map((doubt) => md`${doubtText(doubt)} Showing the last known ones too.`),
    unlisted === 0 ? null : md`Up to ${countText(unlisted, 'device')} couldn’t be ${verb}.`,
  ].filter((note) => note !== null);
}
