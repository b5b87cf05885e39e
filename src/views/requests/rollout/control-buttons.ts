/** Buttons of a rollout: pause, resume, continue, stop, close, its results and a retry. */

import type { RequestId } from '../../../lib/ids.ts';
import type { RolloutIncident } from '../../../rollout/incidents.ts';
import { liftedBy, type Rollout, type RolloutHold, UNSENT } from '../../../rollout/progress.ts';
import { countAgain, countIn } from '../../../rollout/results.ts';
import type { RequestRecord } from '../../../store/port/request-records.ts';
import { type Button, button, type ConfirmDialog } from '../../kit/blocks.ts';
import { writeButtonValue } from '../../kit/button-value.ts';
import { runButton } from '../../kit/command-buttons.ts';
import { type Mrkdwn, md } from '../../kit/escape.ts';
import type { ControlKind } from '../../models/rendered-model.ts';
import { countText } from '../../text/common-text.ts';
import { againButton } from '../request-again.ts';

type Controlled = Pick<RequestRecord, 'id' | 'counts'> & { readonly rollout: Rollout };

/**
 * Whether a person may use one is checked on the press. Where nothing is left to be sent, only waiting for offline devices
 * can end: `onlyOffline` where nothing else is waited for.
 */
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
      return md`Stopped automatically: ${bad} of ${ended} devices of wave ${wave + 1} changed since the request and were left out.`;
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
