/** What a command would do, to which devices, and who would have to agree: nothing was done and nobody was asked. */
import { mayDo, type Need } from '../access.ts';
import { MINUTE } from '../clock.ts';
import { reason, requestTitle } from './approval.ts';
import { changeBlocks } from './changes.ts';
import { factBlocks, installBlocks } from './facts.ts';
import { context, section } from './kit/blocks.ts';
import { code, literal, type Mrkdwn, md } from './kit/escape.ts';
import { SHOWN } from './kit/limits.ts';
import { message } from './kit/message.ts';
import { when } from './kit/when.ts';
import type { RenderedMessage, View } from './model.ts';
import { pausedBy } from './pause.ts';
import { count, deed, listed } from './words.ts';

type Explained = Extract<View, { kind: 'explain' }>;
type Planned = Extract<View, { kind: 'explain-plan' }>;

/** Package names that are listed; a card counts them too, and shows the first. */
const PACKAGES = 30;

export function renderExplain({ command, what, need, root }: Explained): RenderedMessage {
  const typed = code(`${root} ${command.name}`);
  const effect =
    what === 'read'
      ? md`${typed} only reads. It changes nothing and needs no approval.`
      : md`${typed} changes only Patchbay’s own settings. It changes nothing in the management service.`;
  return message({
    text: effect,
    body: [
      section(effect),
      section(literal(command.summary, SHOWN.sentence)),
      context(need === null ? md`Anyone can use it.` : md`Needs ${roleWords(need)}.`),
    ],
  });
}

export function renderExplainPlan(view: Planned): RenderedMessage {
  const { command, targets } = view;
  const names = targets.map(({ displayName }) => displayName);
  const what = md`This would ${deed(command, names)}.`;
  const [first] = targets;
  const asOf = first === undefined ? md`` : md` Device data from ${when(first.asOf)}.`;
  return message({
    text: md`${what}${pausedNow(view)}`,
    body: [
      section(md`*What this would do*\n${requestTitle(view)}`),
      ...(view.pause === null
        ? []
        : [
            section(
              md`*All changes are paused* ${pausedBy(view.pause)}. This would be refused until changes are resumed.`,
            ),
          ]),
      section(rule(view)),
      ...(view.reason === null ? [] : [section(reason(view.reason))]),
      ...packages(view),
      ...installBlocks(targets, command),
      ...factBlocks(targets, view.shared, command),
      ...changeBlocks(command, targets, view.shared),
    ],
    end: [context(md`Nothing was requested or sent.${asOf}${drift(view)}`)],
  });
}

function pausedNow({ pause }: Planned): Mrkdwn {
  return pause === null ? md`` : md` All changes are paused, so it would be refused now.`;
}

/** Who would have to agree. */
function rule({ need, approvalMs }: Planned): Mrkdwn {
  const asker = md`Requesting it needs ${roleWords(need)}.`;
  if (approvalMs === null) return md`${asker} It needs no approval, so it would be sent at once.`;
  const minutes = count(Math.round(approvalMs / MINUTE), 'minute');
  return md`${asker} Someone else with ${roleWords('approve')} has ${minutes} to approve it. You can’t approve your own request.`;
}

/** Only what waits for an approver can go back to one. */
function drift({ approvalMs }: Planned): Mrkdwn {
  return approvalMs === null
    ? md``
    : md` If the device changes before it is sent, the request goes back to the approver.`;
}

function packages({ command }: Planned) {
  if (command.kind !== 'patch') return [];
  const number = count(command.packages.length, 'package');
  return [section(md`${number}: ${listed(command.packages, PACKAGES)}`)];
}

function roleWords(need: Need): Mrkdwn {
  const access = mayDo(null, need);
  return access.allowed ? md`no role` : md`the ${literal(access.needed)} role`;
}
