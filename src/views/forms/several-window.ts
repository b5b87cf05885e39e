/** The window in which several requests are decided: those that wait, the oldest first. Nothing is marked before the person does it. */
import { requestId } from '../../lib/ids.ts';
import type { WhyAlone } from '../../store/port/decision-windows.ts';
import { choiceField, type Modal, smallForm } from '../kit/answer-window.ts';
import { actions, context, section } from '../kit/blocks.ts';
import { joinMrkdwn, type Mrkdwn, md } from '../kit/escape.ts';
import { linkTo } from '../kit/mentions.ts';
import { relativeDate } from '../kit/timestamps.ts';
import type { Block } from '../models/rendered-model.ts';
import type { SeveralWindowFacts } from '../models/request-model.ts';
import { briefLines } from '../requests/approval-list.ts';
import { severalButton } from '../requests/decision-buttons.ts';
import { requestHeading } from '../requests/request-card.ts';
import {
  COMMENT_FIELD,
  DECISION_WINDOW_CALLBACK,
  SUGGESTIONS_BLOCK,
  SUGGESTIONS_FIELD,
} from './decision-window.ts';

/** A block for each request, because Slack keeps what is marked in a block of the same name on the next page. */
const MARK = 'mark:';
/** The block of the decision about all that are marked. */
export const MARKED_BLOCK = 'marked';
const DECISION_FIELD = choiceField({
  type: 'radio_buttons',
  name: MARKED_BLOCK,
  label: 'Your decision about those that you marked',
  options: [
    { label: 'Approve', value: 'approve' },
    { label: 'Deny', value: 'deny' },
  ],
});

export function severalWindow({ id, decides, endsAt, rows, ...at }: SeveralWindowFacts): Modal {
  const canDecide = decides.requests.length > 0;
  return smallForm({
    name: DECISION_WINDOW_CALLBACK,
    // Nothing else of the window is read again.
    metadata: id,
    title: 'Decide several',
    submit: canDecide ? 'Decide' : null,
    blocks: [
      ...headBlocks(at),
      ...rows.flatMap(rowBlocks),
      ...(canDecide ? [DECISION_FIELD, SUGGESTIONS_FIELD, COMMENT_FIELD] : []),
      context(md`${canDecide ? SUBMITTED : md``}This window expires ${relativeDate(endsAt)}.`),
    ],
  });
}

const SUBMITTED = md`Each is checked on its own. Nothing is decided before you press *Decide*. `;

/** No total: as many are read as the store gives at once. */
function headBlocks({ page, more }: Pick<SeveralWindowFacts, 'page' | 'more'>): readonly Block[] {
  const head = md`*Waiting for approval*, the oldest first.`;
  const older = page === 0 ? null : severalButton(page - 1, 'Previous page');
  const newer = more ? severalButton(page + 1, 'Next page') : null;
  if (older === null && newer === null) return [section(head)];
  const note = md`${head} Page ${page + 1}. Decide a page before you open the next: its marks aren’t kept.`;
  return [section(note), ...actions(older, newer)];
}

function rowBlocks({ request, alone, link }: SeveralWindowFacts['rows'][number]): readonly Block[] {
  const words = joinMrkdwn([requestHeading(request), ...briefLines(request)], '\n');
  if (alone !== null) {
    const card = link === null ? md`` : md` ${linkTo(link, md`Open the request`)}`;
    return [section(md`${words}\n${ALONE[alone]}${card}`)];
  }
  const options = [{ label: 'Decide this one', value: request.id }];
  const name = `${MARK}${request.id}`;
  return [section(words), choiceField({ type: 'checkboxes', name, label: 'Mark to decide', options })];
}

const ALONE: Readonly<Record<WhyAlone, Mrkdwn>> = {
  'own-request': md`Your own request: another approver decides.`,
  removal: md`Can’t be undone, so it’s decided on its own.`,
  'count-to-type': md`The number of devices has to be typed, so it’s decided on its own.`,
};

/** What was submitted, or what is missing: a sentence for its person. */
export function readMarks(chosen: ReadonlyMap<string, readonly string[]>) {
  const [decision] = chosen.get(MARKED_BLOCK) ?? [];
  const requests = [...chosen].flatMap(([block, values]) =>
    block.startsWith(MARK) ? values.map(requestId) : [],
  );
  if (decision !== 'approve' && decision !== 'deny') return { error: 'Choose Approve or Deny.' };
  if (decision === 'approve' && (chosen.get(SUGGESTIONS_BLOCK) ?? []).length > 0)
    return { error: 'You marked a reason to deny. Unmark it, or choose Deny.' };
  if (requests.length === 0) return { error: 'Mark at least one request. Nothing is decided yet.' };
  return { marks: { decision, requests } as const, error: null };
}
