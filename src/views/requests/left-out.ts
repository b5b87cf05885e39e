/** The devices that stay out of a request, and why: a reason that several of them share is stated once. */

import { ROOT_COMMAND } from '../../lib/slash-commands.ts';
import { fallbackText } from '../kit/block-text.ts';
import { rowBlocks, section } from '../kit/blocks.ts';
import { bold, escapeMrkdwn, type Mrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import { DISPLAY_LIMIT } from '../kit/limits.ts';
import { fitsMessage, mapBothForms } from '../kit/message.ts';
import type { Problem } from '../models/problem-model.ts';
import type { RenderedMessage } from '../models/rendered-model.ts';
import type { UnrequestedTarget } from '../models/request-model.ts';
import { problemText } from '../problems/problem-text.ts';
import { countText, listTargets } from '../text/common-text.ts';
import { targetName } from '../text/target-name.ts';
import type { NestedViews, View } from '../views.ts';

/** A reason that differs by nothing but the device; null: it is stated for each. */
function sharedReason(problem: Problem): Mrkdwn | null {
  switch (problem.kind) {
    case 'nothing-to-install':
      return md`No missing patches`;
    case 'none-missing': {
      const { severities } = problem;
      return severities === undefined
        ? md`Not missing these packages`
        : md`No ${escapeMrkdwn(severities.join(' or '), DISPLAY_LIMIT.label)} packages missing`;
    }
    case 'device-packages-unread':
      return md`Packages couldn’t be read`;
    case 'policy-not-for':
      // A request has one policy, which its title names.
      return problem.why === 'device' ? md`The policy doesn’t apply` : null;
    case 'device-gone':
      return md`No longer in the fleet`;
    case 'unknown-fit':
      return md`Unknown whether they match the filters`;
    case 'already-so':
      return md`Already have these values`;
    default:
      return null;
  }
}

/** Names listed for each reason. */
const MAX_NAMES = 8;

/** A row for each reason, the most common first. */
export function leftOutRows(leftOut: readonly UnrequestedTarget[]): readonly Mrkdwn[] {
  const byReason = Map.groupBy(leftOut, ({ problem }) => sharedReason(problem));
  return [...byReason]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .flatMap(([reason, devices]) =>
      reason === null || devices.length === 1 ? devices.map(leftOutRow) : [sharedRow(reason, devices)],
    );
}

function sharedRow(reason: Mrkdwn, devices: readonly UnrequestedTarget[]): Mrkdwn {
  return md`${reason} (${devices.length}): ${listTargets(devices, MAX_NAMES)}`;
}

export function leftOutRow(target: UnrequestedTarget): Mrkdwn {
  return md`${targetName(target, [target], bold)}: ${problemText(target.problem, ROOT_COMMAND).what}`;
}

/** Something was requested without the devices in `unrequested`. */
export type RequestedAgainView = {
  readonly kind: 'requested-again';
  readonly view: View;
  readonly unrequested: readonly UnrequestedTarget[];
};

const BUDGET = 5_000;

/** Private answer to a request, where some devices could not be requested. */
export function renderRequestedAgain(
  { view, unrequested }: RequestedAgainView,
  { draw }: NestedViews,
): RenderedMessage {
  const requested = draw(view);
  const list = rowBlocks(leftOutRows(unrequested), {
    budget: BUDGET,
    more: (left) => md`${left} more not shown.`,
  });
  const notRequestedNote = section(md`Not requested for ${countText(unrequested.length, 'device')}:`);
  const both = mapBothForms(requested, (blocks) => {
    const more = [...blocks, notRequestedNote, ...list];
    return fitsMessage(more) ? more : [...blocks, notRequestedNote];
  });
  // The first block's words are replaced by the text of the whole answer, so the note is passed twice.
  return {
    ...both,
    text: fallbackText(trustedMrkdwn(requested.text), [notRequestedNote, notRequestedNote, ...list]),
  };
}
