/** Suggestions for what the person may have meant: one row each, with a button that chooses it. */

import { displayName } from '../../fleet/model/resources.ts';
import { deviceSummary } from '../device/device-list.ts';
import { pickerSummary } from '../device/device-picker.ts';
import { type Button, section } from '../kit/blocks.ts';
import { formButton, runButton } from '../kit/command-buttons.ts';
import { bold, escapeMrkdwn, inlineCode, type Mrkdwn, md } from '../kit/escape.ts';
import { DISPLAY_LIMIT } from '../kit/limits.ts';
import type { PickLine } from '../models/device-model.ts';
import type { Offer } from '../models/offer-model.ts';
import type { Block } from '../models/rendered-model.ts';
import { policyTypeText } from '../text/common-text.ts';

/** A longer list is no help in choosing. */
export const MAX_OFFERS = 5;

/** Empty without offers. `asking` replaces the question above the rows where the person named them, so they are no guess. */
export function offerBlocks(offers: readonly Offer[], asking: Mrkdwn | null = null): readonly Block[] {
  if (offers.length === 0) return [];
  const listed = offers.slice(0, MAX_OFFERS);
  const question = listed.length === 1 ? md`Did you mean this?` : md`Did you mean one of these?`;
  return [
    section(asking ?? question),
    ...listed.map((offer, at) => section(offerText(offer, listed), offerButton(offer, at))),
  ];
}

function offerText(offer: Offer, listed: readonly Offer[]): Mrkdwn {
  switch (offer.kind) {
    case 'device': {
      const summary = hasNamesake(offer.line, listed) ? pickerSummary(offer.line) : deviceSummary(offer.line);
      return offer.page === undefined ? summary : md`${summary}\nPage ${inlineCode(offer.page)}`;
    }
    case 'named': {
      const { name, id, what, detail } = offer;
      return md`${bold(name)} · #${id}${offerDetailText(what, detail)}`;
    }
    case 'line':
      return inlineCode(offer.line, DISPLAY_LIMIT.sentence);
  }
}

/** Only devices of one name need their addresses and serial numbers to be told apart. */
function hasNamesake({ device }: PickLine, listed: readonly Offer[]): boolean {
  return listed.some(
    (other) =>
      other.kind === 'device' &&
      other.line.device.id !== device.id &&
      displayName(other.line.device) === displayName(device),
  );
}

/** Tells items of one name apart: by the parents of a group, or the type of a policy. */
export function offerDetailText(what: 'group' | 'policy', detail: string | null): Mrkdwn {
  if (detail === null || detail === '') return md``;
  return md` · ${what === 'policy' ? policyTypeText(detail) : escapeMrkdwn(detail, DISPLAY_LIMIT.sentence / 2)}`;
}

function offerButton(offer: Offer, at: number): Button | null {
  const { choice } = offer;
  switch (offer.kind) {
    case 'device':
    case 'named':
      return runButton({ action: `pick:${at}`, label: labelOf(choice.command), ...choice });
    case 'line':
      return lineButton(offer, at);
  }
}

/** A button with a page only reads. A setting has none, so its press is stored before it is acknowledged. */
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

const SHOW_LABELS: readonly string[] = ['device', 'group', 'policy'];

/** Short, because a wide button leaves the text no room on a phone. */
function labelOf(command: string): string {
  return SHOW_LABELS.includes(command) ? 'Show' : 'Choose';
}
