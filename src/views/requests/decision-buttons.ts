/** Approve, Deny and Withdraw. The value carries the seal, so that a click decides exactly what the card showed. */
import { isEdit, isRemoval } from '../../fleet/model/actions.ts';
import { type RequestWithTargets, undecidedIn } from '../../store/port/request-records.ts';
import { type Button, button } from '../kit/blocks.ts';
import { writeButtonValue } from '../kit/button-value.ts';
import { plainName, singleLine, truncate } from '../kit/escape.ts';
import { DISPLAY_LIMIT } from '../kit/limits.ts';
import { commandPhrase } from '../text/common-text.ts';
import { FINALITY } from './request-warning.ts';

type Decidable = Pick<RequestWithTargets, 'id' | 'seal' | 'action' | 'targets' | 'counts' | 'rollout'>;

/** All three buttons; whether a person may use one is checked on the click. */
export function decisionButtons(request: Decidable): readonly (Button | null)[] {
  return [...approverButtons(request), withdrawButton(request)];
}

/** Only Approve and Deny: for the approver’s list on the Home. */
export function approverButtons(request: Decidable): readonly (Button | null)[] {
  return [approveButton(request), denyButton(request)];
}

/** Of many devices it opens the form that asks for their number, which is question enough. */
function approveButton(request: Decidable): Button | null {
  const look = { action: 'approve', label: 'Approve', style: 'primary' } as const;
  if (request.rollout?.typedCount === true) return decisionButton(request, look, undecidedIn(request.counts));
  return decisionButton(request, {
    ...look,
    confirm: {
      title: 'Approve this request?',
      text: `${subjectText(commandPhrase(request.action), request)}. ${finalityText(request)}`,
      confirm: 'Approve',
    },
  });
}

function finalityText({ action, rollout }: Decidable): string {
  if (isRemoval(action)) return 'It’s removed as soon as it’s approved, and can’t be restored.';
  if (isEdit(action)) return 'It applies as soon as it’s approved.';
  return rollout === null ? FINALITY.command : FINALITY.rollout;
}

function denyButton(request: Decidable): Button | null {
  return decisionButton(request, {
    action: 'deny',
    label: 'Deny',
    style: 'danger',
    confirm: {
      title: 'Deny this request?',
      text: `${subjectText(commandPhrase(request.action), request)}. Nothing will be sent.`,
      confirm: 'Deny',
      danger: true,
    },
  });
}

/** For the requester. */
export function withdrawButton(request: Decidable): Button | null {
  return decisionButton(request, {
    action: 'withdraw',
    label: 'Withdraw',
    confirm: {
      title: 'Withdraw this request?',
      text: `${subjectText(commandPhrase(request.action), request)}. Nothing will be sent.`,
      confirm: 'Withdraw',
    },
  });
}

/** Opens the form for a reason. */
export function addReasonButton(request: Decidable): Button | null {
  return decisionButton(request, { action: 'add_reason', label: 'Add reason' });
}

function decisionButton(
  { id, seal }: Decidable,
  options: Omit<Parameters<typeof button>[0], 'value'>,
  devices?: number,
): Button | null {
  if (seal === null) return null;
  const counted = devices === undefined ? {} : { devices };
  const value = writeButtonValue({ do: 'decide', approval: id, seal, ...counted });
  return value === null ? null : button({ ...options, value });
}

/** The request in a few words, short enough for a dialog. */
function subjectText(words: string, { targets, counts }: Decidable): string {
  const [only] = targets;
  const total = undecidedIn(counts);
  const named = only !== undefined && total === 1 ? plainName(only.displayName) : `${total} devices`;
  return `${truncate(singleLine(words), DISPLAY_LIMIT.name)} ${named}`;
}
