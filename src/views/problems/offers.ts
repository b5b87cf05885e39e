/** What may have been meant: a line for each, with a button that takes it. */

import { type Button, section } from '../kit/blocks.ts';
import { code, literal, type Mrkdwn, md, strong } from '../kit/escape.ts';
import { SHOWN } from '../kit/limits.ts';
import { formButton, runButton } from '../kit/run-button.ts';
import type { Block } from '../model.ts';
import type { Offer } from '../models/offer-model.ts';
import { pickSummary } from '../picker.ts';
import { policyType } from '../words.ts';

/** More would not help anybody to choose. */
export const MOST_OFFERS = 5;

/** None where there is nothing to offer. `asking` stands above what was named, and is no guess. */
export function offersOf(offers: readonly Offer[], asking: Mrkdwn | null = null): readonly Block[] {
  if (offers.length === 0) return [];
  const shown = offers.slice(0, MOST_OFFERS);
  const question = shown.length === 1 ? md`Did you mean this?` : md`Did you mean one of these?`;
  return [
    section(asking ?? question),
    ...shown.map((offer, at) => section(wordsOf(offer), buttonOf(offer, at))),
  ];
}

function wordsOf(offer: Offer): Mrkdwn {
  switch (offer.kind) {
    case 'device':
      return offer.page === undefined
        ? pickSummary(offer.line)
        : md`${pickSummary(offer.line)}\nPage ${code(offer.page)}`;
    case 'named': {
      const { name, id, what, detail } = offer;
      return md`${strong(name)} · #${id}${detailWords(what, detail)}`;
    }
    case 'line':
      return code(offer.line, SHOWN.sentence);
  }
}

/** What tells one from others of its name: where a group stands, of which kind a policy is. */
export function detailWords(what: 'group' | 'policy', detail: string | null): Mrkdwn {
  if (detail === null || detail === '') return md``;
  return md` · ${what === 'policy' ? policyType(detail) : literal(detail, SHOWN.sentence / 2)}`;
}

function buttonOf(offer: Offer, at: number): Button | null {
  const { choice } = offer;
  switch (offer.kind) {
    case 'device':
    case 'named':
      return runButton({ action: `pick:${at}`, label: labelOf(choice.command), ...choice });
    case 'line':
      return lineButton(offer, at);
  }
}

/** What names a page only reads: a setting names none, so that its press is stored before it is acknowledged. */
function lineButton({ does, choice }: Extract<Offer, { kind: 'line' }>, at: number): Button | null {
  const run = { action: `pick:${at}`, label: 'Run', ...choice };
  switch (does) {
    case 'run':
      return runButton({ ...run, page: 0 });
    case 'set':
      return runButton(run);
    case 'form':
      return formButton({ action: `form:${at}`, label: 'Open form', ...choice });
  }
}

const SHOWS: readonly string[] = ['device', 'group', 'policy'];

/** The number stands beside it: a wider button would leave a phone no room for the words. */
function labelOf(command: string): string {
  return SHOWS.includes(command) ? 'Show' : 'Choose';
}
