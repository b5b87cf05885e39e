/** Approve, deny and withdraw. The value carries the seal: what was shown is what gets decided. */
import { isEdit } from '../fleet/orders.ts';
import type { ApprovalRecord } from '../store/records.ts';
import { type Button, button } from './kit/blocks.ts';
import { writeButtonValue } from './kit/button-value.ts';
import { cut, oneLine } from './kit/escape.ts';
import { SHOWN } from './kit/limits.ts';
import { commandWords } from './words.ts';

type Decidable = Pick<ApprovalRecord, 'id' | 'seal' | 'command' | 'targets'>;

/** All three; people are checked when they press. */
export function decisionButtons(approval: Decidable): readonly (Button | null)[] {
  return [...approverButtons(approval), withdrawButton(approval)];
}

/** For those who decide, where the one who asked has a place of their own. */
export function approverButtons(approval: Decidable): readonly (Button | null)[] {
  return [approveButton(approval), denyButton(approval)];
}

function approveButton(approval: Decidable): Button | null {
  return decide(approval, {
    action: 'approve',
    label: 'Approve',
    style: 'primary',
    confirm: {
      title: 'Approve this request?',
      text: `${subject(commandWords(approval.command), approval)}. ${finality(approval)}`,
      confirm: 'Approve',
    },
  });
}

function finality({ command }: Decidable): string {
  return isEdit(command) ? 'The change applies right away.' : 'Once approved, it can’t be canceled.';
}

function denyButton(approval: Decidable): Button | null {
  return decide(approval, {
    action: 'deny',
    label: 'Deny',
    style: 'danger',
    confirm: {
      title: 'Deny this request?',
      text: `${subject(commandWords(approval.command), approval)}. Nothing will be sent.`,
      confirm: 'Deny',
      danger: true,
    },
  });
}

/** For the one who asked. */
export function withdrawButton(approval: Decidable): Button | null {
  return decide(approval, {
    action: 'withdraw',
    label: 'Withdraw',
    confirm: {
      title: 'Withdraw this request?',
      text: `${subject(commandWords(approval.command), approval)}. Nothing will be sent.`,
      confirm: 'Withdraw',
    },
  });
}

/** Opens the form for a reason. */
export function addReasonButton(approval: Decidable): Button | null {
  return decide(approval, { action: 'add_reason', label: 'Add reason' });
}

function decide(
  { id, seal }: Decidable,
  options: Omit<Parameters<typeof button>[0], 'value'>,
): Button | null {
  const value = writeButtonValue({ do: 'decide', approval: id, seal });
  return value === null ? null : button({ ...options, value });
}

/** What is asked for and of what, by name, short enough for a dialog. */
function subject(words: string, { targets }: Decidable): string {
  const [only, ...others] = targets;
  const named =
    only !== undefined && others.length === 0
      ? cut(oneLine(only.displayName), SHOWN.label)
      : `${targets.length} devices`;
  return `${cut(oneLine(words), SHOWN.name)} ${named}`;
}
