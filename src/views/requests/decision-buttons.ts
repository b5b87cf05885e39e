/** Approve, Deny and Withdraw. The value carries the seal, so that a click decides exactly what the card showed. */
import { isEdit } from '../../fleet/model/actions.ts';
import type { ApprovalRecord } from '../../store/port/records.ts';
import { type Button, button } from '../kit/blocks.ts';
import { writeButtonValue } from '../kit/button-value.ts';
import { singleLine, truncate } from '../kit/escape.ts';
import { DISPLAY_LIMIT } from '../kit/limits.ts';
import { commandPhrase } from '../text/common-text.ts';

type Decidable = Pick<ApprovalRecord, 'id' | 'seal' | 'command' | 'targets'>;

/** All three buttons; whether a person may use one is checked on the click. */
export function decisionButtons(approval: Decidable): readonly (Button | null)[] {
  return [...approverButtons(approval), withdrawButton(approval)];
}

/** Only Approve and Deny: for the approver’s list on the Home. */
export function approverButtons(approval: Decidable): readonly (Button | null)[] {
  return [approveButton(approval), denyButton(approval)];
}

function approveButton(approval: Decidable): Button | null {
  return decisionButton(approval, {
    action: 'approve',
    label: 'Approve',
    style: 'primary',
    confirm: {
      title: 'Approve this request?',
      text: `${subjectText(commandPhrase(approval.command), approval)}. ${finalityText(approval)}`,
      confirm: 'Approve',
    },
  });
}

function finalityText({ command }: Decidable): string {
  return isEdit(command)
    ? 'It applies as soon as it’s approved.'
    : 'Once approved, it’s sent right away and can’t be canceled.';
}

function denyButton(approval: Decidable): Button | null {
  return decisionButton(approval, {
    action: 'deny',
    label: 'Deny',
    style: 'danger',
    confirm: {
      title: 'Deny this request?',
      text: `${subjectText(commandPhrase(approval.command), approval)}. Nothing will be sent.`,
      confirm: 'Deny',
      danger: true,
    },
  });
}

/** For the requester. */
export function withdrawButton(approval: Decidable): Button | null {
  return decisionButton(approval, {
    action: 'withdraw',
    label: 'Withdraw',
    confirm: {
      title: 'Withdraw this request?',
      text: `${subjectText(commandPhrase(approval.command), approval)}. Nothing will be sent.`,
      confirm: 'Withdraw',
    },
  });
}

/** Opens the form for a reason. */
export function addReasonButton(approval: Decidable): Button | null {
  return decisionButton(approval, { action: 'add_reason', label: 'Add reason' });
}

function decisionButton(
  { id, seal }: Decidable,
  options: Omit<Parameters<typeof button>[0], 'value'>,
): Button | null {
  const value = writeButtonValue({ do: 'decide', approval: id, seal });
  return value === null ? null : button({ ...options, value });
}

/** The request in a few words, short enough for a dialog. */
function subjectText(words: string, { targets }: Decidable): string {
  const [only, ...others] = targets;
  const named =
    only !== undefined && others.length === 0
      ? truncate(singleLine(only.displayName), DISPLAY_LIMIT.label)
      : `${targets.length} devices`;
  return `${truncate(singleLine(words), DISPLAY_LIMIT.name)} ${named}`;
}
