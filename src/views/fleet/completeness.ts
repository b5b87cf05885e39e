/** What keeps a list of devices, or a count of them, from being all there is to say. */
import { type Mrkdwn, md } from '../kit/escape.ts';
import { countText } from '../text/common-text.ts';

export type Completeness = {
  /** So many devices at the most could not be looked at. */
  readonly unlisted: number;
  /** Not null: the fleet was not read to its end yet; `of` is how many devices there are, where that is known. */
  readonly partial?: { readonly of: number | null } | null;
  /** It should be newer, but the service did not give it. */
  readonly overdue?: boolean;
};

/** A sentence for each; `verb` says what could not be done with those that are missing. */
export function completenessNotes(
  { unlisted, partial = null, overdue }: Completeness,
  verb: Mrkdwn,
): readonly Mrkdwn[] {
  const all =
    partial === null || partial.of === null ? md`` : md` (${countText(partial.of, 'device')} in total)`;
  return [
    partial === null ? null : md`The fleet is still loading for the first time. Results are partial${all}.`,
    overdue === true ? md`Couldn’t refresh from the management service. Showing the last known data.` : null,
    unlisted === 0 ? null : md`Up to ${countText(unlisted, 'device')} couldn’t be ${verb}.`,
  ].filter((note) => note !== null);
}
