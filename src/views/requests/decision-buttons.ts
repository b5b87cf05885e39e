/** Approve, Deny and Withdraw. The value carries the seal, so that a press on an older card is noticed. */
import { whyAlone } from '../../store/port/decision-windows.ts';
import { type RequestWithTargets, undecidedIn } from '../../store/port/request-records.ts';
import { type Button, button } from '../kit/blocks.ts';
import { writeButtonValue } from '../kit/button-value.ts';
import { singleLine, truncate } from '../kit/escape.ts';
import { DISPLAY_LIMIT } from '../kit/limits.ts';
import { commandPhrase } from '../text/common-text.ts';
import { plainTargetName } from '../text/target-name.ts';

type Decidable = Pick<RequestWithTargets, 'id' | 'seal' | 'action' | 'targets' | 'counts'>;

/** All three buttons; whether a person may use one is checked on the click. */
export function decisionButtons(request: Decidable): readonly (Button | null)[] {
  return [...approverButtons(request), withdrawButton(request)];
}

/** Only Approve and Deny: for the approver’s list on the Home. */
export function approverButtons(request: Decidable): readonly (Button | null)[] {
  return [approveButton(request), denyButton(request)];
}

/** Both open the window in which an approver decides. */
function approveButton(request: Decidable): Button | null {
  return decisionButton(request, { action: 'approve', label: 'Approve', style: 'primary' });
}

function denyButton(request: Decidable): Button | null {
  return decisionButton(request, { action: 'deny', label: 'Deny', style: 'danger' });
}

/** For the requester. */
export function withdrawButton(request: Decidable): Button | null {
  return decisionButton(request, {
    action: 'withdraw',
    label: 'Withdraw',
    confirm: {
      title: 'Withdraw this request?',
      text: `${subjectText(request)}. Nothing will be sent. Only the requester can withdraw it.`,
      confirm: 'Withdraw',
    },
  });
}

/** Opens the window in which several are decided; null where fewer of them can be marked. `shown`: of others; `more`: not shown. */
export function decideSeveralButton(shown: readonly RequestWithTargets[], more: number): Button | null {
  const waiting = shown.filter((one) => one.state === 'waiting' && whyAlone(one) === null);
  return waiting.length + more < 2 ? null : severalButton(0, 'Decide several…');
}

/** Opens a page of it. */
export function severalButton(page: number, label: string): Button | null {
  const value = writeButtonValue({ do: 'several', page });
  return value === null ? null : button({ action: `several:${page}`, label, value });
}

export function addReasonButton(request: Decidable): Button | null {
  return decisionButton(request, { action: 'add_reason', label: 'Add reason' });
}

function decisionButton(
  { id, seal }: Decidable,
  options: Omit<Parameters<typeof button>[0], 'value'>,
): Button | null {
  if (seal === null) return null;
  const value = writeButtonValue({ do: 'decide', approval: id, seal });
  return value === null ? null : button({ ...options, value });
}

/** The request in a few words, short enough for a dialog. */
function subjectText({ action, targets, counts }: Decidable): string {
  const [only] = targets;
  const total = undecidedIn(counts);
  const named = only !== undefined && total === 1 ? plainTargetName(only) : `${total} devices`;
  return `${truncate(singleLine(commandPhrase(action)), DISPLAY_LIMIT.name)} ${named}`;
}
