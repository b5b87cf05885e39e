/** Buttons of requests. The value of a decision carries the seal, so that a press on an older card is noticed. */
import { changesRecord } from '../../fleet/model/actions.ts';
import type { RequestId } from '../../lib/ids.ts';
import type { RolloutIncident } from '../../rollout/incidents.ts';
import { liftedBy, type Rollout, type RolloutHold, UNSENT } from '../../rollout/progress.ts';
import { type AgainSet, countAgain, countIn, isAgain } from '../../rollout/results.ts';
import { whyAlone } from '../../store/port/decision-windows.ts';
import { saysGone } from '../../store/port/evidence.ts';
import {
  type RequestRecord,
  type RequestWithTargets,
  undecidedIn,
} from '../../store/port/request-records.ts';
import { type Button, type ButtonOptions, button, type ConfirmDialog } from '../kit/blocks.ts';
import { type ControlKind, formButton, runButton, writeButtonValue } from '../kit/buttons.ts';
import { type Mrkdwn, md, singleLine, truncate } from '../kit/escape.ts';
import { DISPLAY_LIMIT } from '../kit/limits.ts';
import type { CommandChoice } from '../models/list-model.ts';
import { commandPhrase, countText, plainTargetName } from '../text/common-text.ts';

type Decidable = Pick<RequestWithTargets, 'id' | 'seal' | 'action' | 'targets' | 'counts'>;

/** All three buttons; whether a person may use one is checked on the click. */
export function decisionButtons(request: Decidable): readonly (Button | null)[] {
  return [...approverButtons(request), withdrawButton(request)];
}

/** Only Approve and Deny: for the approver’s list on the Home. */
export function approverButtons(request: Decidable): readonly (Button | null)[] {
  return [
    decisionButton(request, { action: 'approve', label: 'Approve', style: 'primary' }),
    decisionButton(request, { action: 'deny', label: 'Deny', style: 'danger' }),
  ];
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

type Controlled = Pick<RequestRecord, 'id' | 'counts'> & { readonly rollout: Rollout };

/** Whether a person may use one is checked on the press. `onlyOffline`: nothing but offline devices is waited for. */
export function controlButtons(request: Controlled, onlyOffline: boolean): readonly (Button | null)[] {
  const left = countIn(request.counts, UNSENT);
  const { hold } = request.rollout;
  const controls = [
    ...(left > 0 ? controlsIn(hold) : []),
    ...(onlyOffline && left > 0 && WAITS_ON.has(hold?.kind) ? (['continue-without'] as const) : []),
    ...(onlyOffline ? (['close'] as const) : []),
  ];
  return controls.map((control) => controlButton(request, control, left));
}

/** Whoever resumes it otherwise has to see first what went wrong. */
const WAITS_ON: ReadonlySet<RolloutHold['kind'] | undefined> = new Set([undefined, 'expired', 'away']);

function controlsIn(hold: RolloutHold | null): readonly ControlKind[] {
  if (hold === null) return ['pause', 'stop'];
  const lifted = liftedBy(hold);
  return lifted === null ? [] : [lifted, 'stop'];
}

const LABELS: Readonly<Record<ControlKind, string>> = {
  pause: 'Pause',
  resume: 'Resume',
  continue: 'Continue',
  'continue-without': 'Continue without the offline ones',
  close: 'Close',
  stop: 'Stop',
};

function controlButton({ id, rollout }: Controlled, control: ControlKind, left: number): Button | null {
  const { hold } = rollout;
  const lifted = hold !== null && !HALTS.has(control) ? { hold: hold.at } : {};
  const value = writeButtonValue({ do: 'control', request: id, control, ...lifted });
  if (value === null) return null;
  const confirm = confirmOf(control, left);
  return button({
    action: `control:${control}`,
    label: LABELS[control],
    value,
    ...(HALTS.has(control) && control !== 'pause' ? { style: 'danger' } : {}),
    ...(confirm === null ? {} : { confirm }),
  });
}

const HALTS: ReadonlySet<ControlKind> = new Set(['pause', 'stop', 'close']);

/** What lets a rollout go on opens a window, which asks. */
function confirmOf(control: ControlKind, left: number): ConfirmDialog | null {
  const skipped =
    left === 1 ? 'The remaining device will be skipped.' : `The ${left} remaining devices will be skipped.`;
  switch (control) {
    case 'pause':
    case 'resume':
    case 'continue':
    case 'continue-without':
      return null;
    case 'close':
      return {
        title: 'Close this rollout?',
        text: `${left === 0 ? '' : `${skipped} `}Offline devices end as not verified. The command is still in their queues and may run later.`,
        confirm: 'Close',
        danger: true,
      };
    case 'stop':
      return {
        title: 'Stop this rollout?',
        text: `${skipped} What was sent can’t be canceled. A stopped rollout can’t be resumed.`,
        confirm: 'Stop',
        danger: true,
      };
  }
}

/** What the brake stopped the rollout for, in the same words on the card, in its thread and in the window to resume it. */
export function brakedText({
  kind,
  bad,
  ended,
  wave,
}: Extract<RolloutIncident, { readonly bad: number }>): Mrkdwn {
  switch (kind) {
    case 'braked':
      return md`Stopped automatically after ${countText(bad, 'failure')} in wave ${wave + 1} (${ended} done).`;
    case 'unproven':
      return ended === 0
        ? md`Stopped automatically: nothing was sent in wave ${wave + 1}, so nothing proves that it works.`
        : md`Stopped automatically: no device of wave ${wave + 1} is verified (0 of ${ended}).`;
    case 'drifted':
      return md`Stopped automatically: ${bad} of ${ended} devices of wave ${wave + 1} changed since the request, or rules ask for more by now, and were left out.`;
  }
}

/** Opens the devices of a rollout in pages, from where they are also a file. */
export function resultsButton({ id }: { readonly id: RequestId }, label = 'Results'): Button | null {
  return runButton({ action: 'results', label, command: 'operations', input: { of: id, group: null } });
}

type Ended = Pick<RequestRecord, 'id' | 'action' | 'state' | 'counts'>;

/** What can be requested again of a rollout that ended: exactly the devices on which it did not work, or to which nothing was sent. */
export function retryButtons(request: Ended): readonly (Button | null)[] {
  return (['failed', 'not-sent'] as const).map((of) => {
    const devices = countAgain(request, of);
    const what = of === 'failed' ? 'Retry' : 'Request again for those not sent';
    return devices === 0
      ? null
      : againButton(request, of, { action: `retry:${of}`, label: `${what} (${devices})` });
  });
}

const REQUEST_AGAIN = { action: 'again', label: 'Request again' } as const;
const RETRY = { action: 'retry:failed', label: 'Retry' } as const;

/** The button for a card or message about a request of one device; null where it cannot be requested again. */
export function requestAgainButton(request: RequestWithTargets): Button | null {
  const isLeft = (of: AgainSet) =>
    request.targets.some((target) => isAgain(request, of, target) && !saysGone(target.evidence));
  if (isLeft(null)) return againButton(request, null, REQUEST_AGAIN);
  // An edit that is not confirmed may have been made.
  return isLeft('failed') && !changesRecord(request.action) ? againButton(request, 'failed', RETRY) : null;
}

/** By reference, because a command may be too long for a button. `of`: see `commands/forms/request-again.ts`. */
export function againButton(
  { id: request, action: { kind } }: Pick<RequestWithTargets, 'id' | 'action'>,
  of: 'failed' | 'not-sent' | null,
  words: Pick<ButtonOptions, 'action' | 'label'>,
): Button | null {
  const command = kind === 'patch-all' || kind === 'patch-each' ? 'patch' : kind;
  return formButton({ ...words, command, input: { again: { request, of } } });
}

/** The same for input that never became an operation; null where it does not fit into a button. */
export function requestChoiceAgainButton(choice: CommandChoice): Button | null {
  return runButton({ ...REQUEST_AGAIN, ...choice });
}
